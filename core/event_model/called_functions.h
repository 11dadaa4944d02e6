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

/// Names of two event types, entry and exit, with which a provider reports function calls, for example "lttng_ust_cyg_profile:func_entry".
struct CallEvents {
    std::string_view entry; ///< Name of the entry event without its provider, for example "func_entry".
    std::string_view exit;
    /// Field of the entry that identifies the function: an address or a text. If the exit also has this field, it identifies the
    /// function that returns.
    std::string_view function;
    std::string_view file; ///< Field with the path of the function's source file; empty if the events have no such field.
    std::string_view line; ///< Field with the function's line in its source file; empty if the events have no such field.
    bool areOfKernel = false; ///< True if the events report calls of kernel functions.
};

/// Returns the known pairs of event types: those of LTTng-UST's helpers for gcc -finstrument-functions (liblttng-ust-cyg-profile(3)), under
/// their new and old names, those that Python tracers record from sys.setprofile(), and those that readers of other tools' formats make.
std::span<const CallEvents> knownCallEvents();

/// Role of one event type of a trace in reporting function calls.
struct CallType {
    /// Number of the provider, from 1; an entry and an exit of the same provider have the same number. 0 if the event type reports no
    /// calls, or if the trace has no entries of this provider.
    std::uint16_t source = 0;
    bool isEntry = false;
    const CallEvents* events = nullptr;
};

/// Returns the call types of a trace, indexed by EventTypeId. An entry type must have the field that identifies the function; an exit type
/// need not.
std::vector<CallType> findCallTypes(const Trace& trace);

/// An exit type of a trace that lacks the corresponding entry type. Such exits are useless.
struct MissingEntries {
    std::string exit; ///< Full name of the exit event, for example "lttng_ust_cyg_profile:func_exit".
    std::string entry; ///< Full name of the entry event that the trace lacks, for example "lttng_ust_cyg_profile:func_entry".
};
std::vector<MissingEntries> missingEntries(const Trace& trace);

/// A function that an event enters or leaves, as the event's provider (the source) identifies it.
struct RecordedFunction {
    StackFrame frame; ///< Frame of the function; set only if the event enters the function.
    std::uint64_t key = 0; ///< Key of the function; entries and exits of one function have the same key if they are from the same provider.
    std::uint16_t source = 0;
    /// For entries: number of the earliest program of the process that can have this function mapped (see
    /// MappedFiles::ModuleAddress::program).
    std::uint32_t program = 0;
};

/// Finds the functions that the events of a trace enter and leave. Functions identified by texts become code locations in modules of the
/// analysis's own store, one module per source file.
///
/// Threads: to be used by one thread.
/// Cost: tens of ns per event.
class CalledFunctions {
public:
    /// Ownership: all arguments must outlive the object.
    CalledFunctions(const Trace& trace, MappedFrames& frames, StateSink& sink);

    /// Returns true if the trace has an event type that reports entries of functions.
    static bool hasFunctionEntries(const Trace& trace);

    /// Returns the call type of an event type. CallType::source is 0 for most event types, because they report no calls.
    const CallType& typeOf(EventTypeId type) const { return m_fields[static_cast<std::size_t>(type)].type; }
    /// Returns true if events of the type identify the function. Exits need not identify it.
    bool hasFunction(EventTypeId type) const { return m_fields[static_cast<std::size_t>(type)].function.isValid(); }
    /// Returns the function that the event enters or leaves. `process` is the process of the event. Requires: hasFunction() of the event's
    /// type.
    RecordedFunction functionOf(const EventView& event, const ProcessId& process);
    /// Returns the function or slice called `name`, for events that CalledFunctions does not decode itself, e.g. slices. `source`
    /// identifies the kind of these events. Requires: `source` >= FirstOtherSource.
    RecordedFunction functionNamed(std::string_view name, std::uint16_t source);
    /// First value of `source` for functionNamed(); larger than any CallType::source.
    static constexpr std::uint16_t FirstOtherSource = 2000;

private:
    struct Fields {
        CallType type;
        FieldRef function;
        FieldRef file;
        FieldRef line;
    };
    std::uint64_t keyOf(const std::string& name) { return m_keys.try_emplace(name, m_keys.size()).first->second; }
    StackFrame frameOf(std::string name, std::string file, std::int64_t line);
    StackFrame frameOfKernel(std::string_view function);

    const Trace& m_trace;
    MappedFrames& m_frames;
    StateSink& m_sink;
    /// Module of the kernel's functions; UnknownModule until an event reports the first kernel function.
    ModuleId m_kernel = UnknownModule;
    std::unordered_map<std::uint64_t, StackFrame> m_kernelFrames; ///< Cached frames of kernel functions, keyed by address.
    std::vector<Fields> m_fields; ///< Call fields of each event type, indexed by EventTypeId.
    /// Module of each source file, keyed by path. Only for functions that events identify by names and source locations instead of
    /// addresses.
    std::map<std::string, ModuleId> m_sourceFiles;
    /// For functions identified by texts: address of each code location (see ModuleSink::addPlace()), by module, name and line.
    std::map<std::tuple<std::uint32_t, std::string, std::int64_t>, std::uint64_t> m_places;
    /// Keys of functions, by function name; entry and exit of a function have the same key.
    std::unordered_map<std::string, std::uint64_t> m_keys;
};

} // namespace helio
