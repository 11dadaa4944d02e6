#pragma once

#include "core/event_model/mapped_frames.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace helio {

/// A pair of event types that report, for any provider, that a function was entered or left, e.g. "lttng_ust_cyg_profile:func_entry".
struct CallEvents {
    std::string_view entry; ///< Name of the entry event without its provider, e.g. "func_entry".
    std::string_view exit;
    /// Field of an entry that identifies the function: an address or a text. An exit that has the field names the function that is left.
    std::string_view function;
    std::string_view file; ///< Field with the path of the function's source file; empty if there is none.
    std::string_view line; ///< Field with the line of the function in its source file; empty if there is none.
};

/// Returns the known pairs: of LTTng-UST's helpers for gcc -finstrument-functions, liblttng-ust-cyg-profile(3), under their new and old
/// names, and of Python's sys.setprofile() as tracers of Python record it.
std::span<const CallEvents> knownCallEvents();

/// How one event type of a trace reports function calls.
struct CallType {
    /// Number of the provider, from 1; an entry and an exit with the same number belong together. 0 if the type reports neither, or if the
    /// trace has no entries of this provider.
    std::uint16_t source = 0;
    bool isEntry = false;
    const CallEvents* events = nullptr;
};

/// Returns the call types, indexed by EventTypeId. An entry type needs the field with the function; an exit type need not have it.
std::vector<CallType> findCallTypes(const Trace& trace);

/// An exit type of a trace without the corresponding entry type. Such exits are useless.
struct MissingEntries {
    std::string exit; ///< Full name of the exit, e.g. "lttng_ust_cyg_profile:func_exit".
    std::string entry; ///< Full name of the missing entry, e.g. "lttng_ust_cyg_profile:func_entry".
};
std::vector<MissingEntries> missingEntries(const Trace& trace);

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
