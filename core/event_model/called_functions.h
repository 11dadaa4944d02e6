#pragma once

#include "core/event_model/call_events.h"
#include "core/event_model/mapped_frames.h"
#include "core/trace/fields/field_ref.h"

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace helio {

/// A function as the events of one source identify it.
struct RecordedFunction {
    StackFrame frame; ///< Frame of the function; set for entries only.
    std::uint64_t key = 0; ///< Identifies the function among the entries and exits of the same source.
    std::uint16_t source = 0;
    /// For entries: number of the earliest program of the process that can have this function mapped. See MappedFiles::Place::program.
    std::uint32_t program = 0;
};

/// Tells which functions the events of a trace enter and leave. Functions that are identified by texts become places in modules of the
/// analysis's own store, one module for each source file.
///
/// Threads: to be used by one thread.
/// Cost: tens of ns for each event.
class CalledFunctions {
public:
    /// Ownership: all arguments outlive the object.
    CalledFunctions(const Trace& trace, MappedFrames& frames, StateSink& sink);

    /// Returns true if the trace has an event type that reports entries of functions.
    static bool hasFunctionEntries(const Trace& trace);

    /// Returns how events of the type report calls; `source` is 0 for most types.
    const CallType& typeOf(EventTypeId type) const { return m_fields[static_cast<std::size_t>(type)].type; }
    /// Returns true if events of the type identify the function; exits need not.
    bool hasFunction(EventTypeId type) const { return m_fields[static_cast<std::size_t>(type)].function.isValid(); }
    /// Returns the function that the event enters or leaves. Requires: hasFunction() of the event's type. `process`: the process of the
    /// event.
    RecordedFunction functionOf(const EventView& event, const ProcessId& process);

private:
    struct Fields {
        CallType type;
        FieldRef function;
        FieldRef file;
        FieldRef line;
    };
    std::uint64_t placeOf(const EventView& event, const Fields& fields, StackFrame& frame);

    MappedFrames& m_frames;
    StateSink& m_sink;
    std::vector<Fields> m_fields; ///< Indexed by EventTypeId.
    std::map<std::string, ModuleId> m_sourceFiles; ///< Modules of functions that are identified by texts, by the path of their source file.
    /// Places of functions that are identified by texts, by module, name and line.
    std::map<std::tuple<std::uint32_t, std::string, std::int64_t>, std::uint64_t> m_places;
    std::unordered_map<std::string, std::uint64_t> m_keys; ///< Numbers of function names; an exit finds its entry by them.
};

} // namespace helio
