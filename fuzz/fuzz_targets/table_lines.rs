#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| constructor_fuzz::table_lines(data));
