#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| penguins_fuzz::state(data));
