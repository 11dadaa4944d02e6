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

/// A function as the events of one source name it.
struct RecordedFunction {
    StackFrame frame; ///< Of an entry alone.
    std::uint64_t key = 0; ///< What entries and exits of the same source name it by.
    std::uint16_t source = 0;
    std::uint32_t program = 0; ///< Of an entry: the one of its process that has it mapped, at least. See MappedFiles.
};

/// Which functions the events of a trace say were entered and left. Functions that are named by texts become places in modules of the
/// analysis's store, one a source file. One thread. Cost: some tens of ns an event.
class CalledFunctions {
public:
    /// All of them outlive it.
    CalledFunctions(const Trace& trace, MappedFrames& frames, StateSink& sink);

    /// Whether any type's events say that a function was entered.
    static bool areIn(const Trace& trace);

    /// What the events of a type say; of most nothing.
    const CallType& typeOf(EventTypeId type) const { return m_fields[static_cast<std::size_t>(type)].type; }
    /// Whether they say which function; exits need not.
    bool hasFunction(EventTypeId type) const { return m_fields[static_cast<std::size_t>(type)].function.isValid(); }
    /// Requires: hasFunction() of the event's type. `pid`: the process that it is of.
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
    std::vector<Fields> m_fields; ///< By EventTypeId.
    std::map<std::string, ModuleId> m_sourceFiles; ///< Of functions that are named by texts.
    std::map<std::tuple<std::uint32_t, std::string, std::int64_t>, std::uint64_t> m_places; ///< Of those: by module, name and line.
    std::unordered_map<std::string, std::uint64_t> m_keys; ///< Numbers of their names, by which exits find their entries.
};

} // namespace helio
