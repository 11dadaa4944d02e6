#pragma once

#include "core/formats/perfetto/diagnostic_log.h"
#include "core/formats/perfetto/track_tree.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace helio::perfetto {

/// A flow point without category and name that belongs to a slice.
struct SliceFlow {
    FlowPhase phase = FlowPhase::Step;
    std::string id;
};

/// Complete events of the old form (phase X): slices with begin and duration in one event. Traces contain them in any order, often in the
/// order of their ends, but track events with the same time must be stored in the order of their nesting. The slices are therefore kept
/// until all events have been read.
///
/// A slice that overlaps another one of its owner without nesting cannot be part of the owner's call stack; it gets a track of its own. The
/// same holds for a slice at whose begin or end a slice of another form begins, if the order of the stored events would be wrong.
///
/// Memory: about 200 bytes and the arguments for each slice, 16 bytes for each begin or end of a slice of another form.
class CompleteSlices {
public:
    struct Slice {
        std::int64_t time = 0; ///< Begin in ns.
        std::int64_t end = 0; ///< End in ns.
        std::string_view name; ///< Must stay valid until store().
        std::string categories;
        std::string arguments; ///< Text of a JSON object; empty if there are no arguments.
        std::vector<SliceFlow> flows;
    };
    /// A flow point whose time may be the begin of a slice that store() has still to add.
    struct Point {
        std::int64_t time = 0; ///< In ns.
        std::string category;
        std::string_view name; ///< Must stay valid until store().
        SliceFlow flow;
    };

    /// Ownership: `writer` and `tree` must outlive the object.
    CompleteSlices(TrackEventWriter& writer, TrackTree& tree, DiagnosticLog& log)
        : m_writer(writer)
        , m_tree(tree)
        , m_log(log)
    {
    }

    void add(const TrackPlace& place, Slice slice) { ownerAt(place).slices.push_back(std::move(slice)); }
    void add(const TrackPlace& place, Point point) { ownerAt(place).points.push_back(std::move(point)); }
    /// Notes the begin or end of a slice that is not a complete event. The caller stores it.
    void note(const TrackPlace& place, std::int64_t time, bool isBegin) { ownerAt(place).edges.push_back({time, isBegin}); }

    /// Stores all slices and flow points. Must be called once, after the last event.
    void store();

private:
    struct Edge {
        std::int64_t time = 0; ///< In ns.
        bool isBegin = false;
    };
    struct Owner {
        TrackPlace place;
        std::vector<Slice> slices;
        std::vector<Edge> edges; ///< Begins and ends of slices that are not complete events.
        std::vector<Point> points;
    };

    Owner& ownerAt(const TrackPlace& place);
    void storeSlices(Owner& owner);
    void begin(const TrackPlace& place, const Slice& slice);
    TrackPlace besides(const TrackPlace& place, std::int64_t time);

    TrackEventWriter& m_writer;
    TrackTree& m_tree;
    DiagnosticLog& m_log;
    /// Owners, keyed by process ID, thread ID, number of the PID namespace, track and nest.
    std::map<std::tuple<std::int32_t, std::int32_t, std::uint32_t, std::int64_t, std::int64_t>, Owner> m_owners;
};

} // namespace helio::perfetto
