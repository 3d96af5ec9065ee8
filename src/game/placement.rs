//! Placing roads, residences and geese: the sets and the production table that a [`Game`] keeps up to date.

use super::builder::Builder;
use super::hand::Hand;
use super::production::Production;
use super::residence::Residence;
use super::{Game, zobrist};
use crate::board::{Edge, EdgeSet, Layout, Terrain, Tile, Vertex, VertexSet};

/// Returns one unit of the resource of each tile around the vertex, whatever the tile's value.
pub(super) fn produced_at(vertex: Vertex, layout: &Layout) -> Hand {
    let mut hand = Hand::EMPTY;
    for tile in vertex.tiles().iter() {
        if let Terrain::Resource(resource, _) = layout[tile] {
            hand += Hand::unit_of(resource);
        }
    }
    hand
}

impl Game {
    pub(super) fn place_geese(&mut self, tile: Option<Tile>) {
        self.board_hash ^= zobrist::geese(self.geese) ^ zobrist::geese(tile);
        if let Some((_, value)) = self.geese.and_then(|tile| self.layout[tile].production()) {
            self.production[value.index()] += self.blocked;
        }
        self.geese = tile;
        self.blocked = Production::NONE;
        if let Some(tile) = tile
            && let Some((resource, value)) = self.layout[tile].production()
        {
            for builder in Builder::ALL {
                self.blocked.add(builder, resource, self.units_on(builder, tile));
            }
            self.production[value.index()] -= self.blocked;
        }
    }

    pub(super) fn place_road(&mut self, builder: Builder, edge: Edge) {
        self.board_hash ^= zobrist::road(builder, edge);
        self.roads[builder.index()].insert(edge);
        self.free_edges = self.free_edges - EdgeSet::EMPTY.with(edge);
        for end in edge.ends() {
            self.road_ends[builder.index()].insert(end);
            if !self.blocks_roads_of(builder, end) {
                self.road_frontier[builder.index()] = self.road_frontier[builder.index()] | end.edges();
            }
        }
    }

    /// Returns whether the builder's roads cannot continue past the vertex, because another builder's residence is there.
    fn blocks_roads_of(&self, builder: Builder, vertex: Vertex) -> bool {
        self.rules.residences_stop_roads && (self.all_residences() - self.residences(builder)).contains(vertex)
    }

    /// Places a residence: a basement on an empty vertex, a house in place of a basement, or a tower in place of a house.
    pub(super) fn place_residence(&mut self, builder: Builder, vertex: Vertex, kind: Residence) {
        self.board_hash ^= zobrist::residence(builder, vertex, kind);
        match kind {
            Residence::Basement => self.place_basement(builder, vertex),
            Residence::House => self.houses.insert(vertex),
            Residence::Tower => {
                self.houses = self.houses - VertexSet::EMPTY.with(vertex);
                self.towers.insert(vertex);
            }
        }
        self.points[builder.index()] += 1;
        for tile in vertex.tiles().iter() {
            if let Some((resource, value)) = self.layout[tile].production() {
                let is_blocked = self.geese == Some(tile);
                let production = if is_blocked { &mut self.blocked } else { &mut self.production[value.index()] };
                production.add(builder, resource, 1);
            }
        }
    }

    fn place_basement(&mut self, builder: Builder, vertex: Vertex) {
        self.residences[builder.index()].insert(vertex);
        self.free_sites = self.free_sites - vertex.neighbours().with(vertex);
        self.road_frontier[builder.index()] = self.road_frontier[builder.index()] | vertex.edges();
        if self.rules.residences_stop_roads {
            for other in builder.others() {
                if self.road_ends[other.index()].contains(vertex) {
                    self.road_frontier[other.index()] = self.recompute_frontier(other);
                }
            }
        }
    }

    /// Returns the builder's road frontier, computed from scratch.
    fn recompute_frontier(&self, builder: Builder) -> EdgeSet {
        self.road_network(builder)
            .iter()
            .filter(|&vertex| !self.blocks_roads_of(builder, vertex))
            .fold(EdgeSet::EMPTY, |edges, vertex| edges | vertex.edges())
    }
}
