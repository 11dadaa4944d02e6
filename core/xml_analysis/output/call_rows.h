#pragma once

#include "core/event_model/call_stacks.h"
#include "core/store/store.h"
#include "core/xml_analysis/output/path_watch.h"
#include "core/xml_analysis/running/attribute_tree.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace helio::xml {

/// Writes the call stacks that a callstack element of an XML analysis describes: as rows of a view with the element's id, and as
/// segments of the kind "call".
///
/// The element's first group has a list of levels, each with a path to attributes. Attributes of the last level are threads; attributes of
/// higher levels are groups of threads. A thread's stack of function names is in its child attribute CallStack.
/// Threads: to be used by one thread.
class CallRows {
public:
    /// Ownership: all arguments must outlive the object.
    CallRows(const CallStacks& stacks, const AttributeTree& tree, PathWatch& paths, StateSink& sink);

    void onChange(HostTimestamp from, Quark attribute, const Value& value);
    void truncate(HostTimestamp at); ///< Ends all calls at `at`. Called when events were lost: it is then unknown which calls are open.
    void finish(HostTimestamp at);

private:
    struct Level {
        Quark attribute = NoQuark;
        TrackId row = NoTrack;
    };
    struct Thread {
        std::unique_ptr<calls::CallStack> stack;
        std::map<std::int64_t, Value> open; ///< Names of the open functions, by depth.
    };

    void watchLevel(std::size_t level, Quark base, const Wildcards& wildcards, std::vector<Level> above);
    void addThread(Quark stack, const std::vector<Level>& levels);
    TrackId groupRow(Level& level, TrackId parent);
    std::optional<std::int32_t> tidOf(const std::vector<Level>& levels) const;
    void onDepth(HostTimestamp at, Thread& thread, std::int64_t depth, const Value& value);
    RecordedFunction functionOf(const Value& name);
    void putIntoOrder();

    const CallStackGroup* m_group = nullptr;
    const std::string m_id;
    const AttributeTree& m_tree;
    PathWatch& m_paths;
    StateSink& m_sink;
    calls::CallOutput m_out;
    ModuleId m_module{};
    std::unordered_map<Quark, Thread> m_threads; ///< Threads, by the attribute of their stack.
    std::map<Quark, TrackId> m_groups;
    std::vector<TrackId> m_rows; ///< Rows of all groups and threads.
    std::map<std::string, int> m_keys;
    /// Address of each function's code location in the module, by function name.
    std::unordered_map<std::string, std::uint64_t> m_functions;
};

} // namespace helio::xml
