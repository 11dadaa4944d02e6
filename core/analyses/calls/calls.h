#pragma once

#include "core/analyses/calls/call_events.h"
#include "core/analyses/calls/call_stacks.h"
#include "core/analysis/analysis.h"
#include "core/analysis/mapped_files.h"
#include "core/analysis/thread_fields.h"
#include "core/base/flat_index.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace helio::calls {

/// The call stacks of user-space threads, from events that say which functions were entered and left.
///
/// Rows of the view call-stack: processes `pid:PID`, below them threads `calls:TID`, below those the depths `calls:TID/1`, `calls:TID/2`...
/// whose intervals are calls; without a tid `calls:stream-N`. A TID that belongs to another process from some time on is a thread of its
/// own, `calls:TID#2`. Every call is a segment of the kind "call", too: its name the function, its value the ns that were its own and not
/// its callees'. Where events were lost, all that is open is truncated: nobody knows what was left.
class Calls final : public Analysis {
public:
    /// `mapped` may be null.
    Calls(const Trace& trace, std::shared_ptr<const Store> mapped, StateSink& sink);

    static bool hasCalls(const Trace& trace);

    void begin(HostTimestamp) override { }
    void onEvents(const EventRun& run) override;
    void onLossBegin(const Loss& loss) override { truncateAll(loss.range.begin); }
    void onLoss(const Loss& loss) override { truncateAll(loss.range.end); }
    void finish(HostTimestamp at) override;
    std::vector<Diagnostic> diagnostics() override;

private:
    struct Fields {
        CallType type;
        FieldRef function;
        FieldRef file;
        FieldRef line;
        ThreadFields thread;
    };
    struct Process {
        TrackId row = NoTrack;
        std::string name;
    };
    struct Thread {
        TrackId row = NoTrack;
        std::int32_t pid = -1;
        std::string name;
        std::unique_ptr<CallStack> stack;
    };
    /// The PID namespace (0: the host's), and the tid, or of a stream without threads -1 less its number.
    using ThreadId = std::tuple<std::uint32_t, std::int64_t>;
    struct Hash {
        std::size_t operator()(const ThreadId& id) const
        {
            return std::hash<std::uint64_t>()(static_cast<std::uint64_t>(std::get<1>(id)) ^ std::uint64_t(std::get<0>(id)) << 32);
        }
    };

    void take(const EventView& event, const Fields& fields);
    Thread& threadOf(const EventView& event, const ThreadFields& fields);
    void beginThread(Thread& thread, ThreadId id, std::int32_t pid, HostTimestamp at);
    Process& processOf(std::int32_t pid, std::uint32_t pidNamespace);
    void setName(Thread& thread, std::string_view name);
    Function functionOf(const EventView& event, const Fields& fields, std::int32_t pid);
    StackFrame frameAt(std::int32_t pid, std::uint64_t address, HostTimestamp at);
    StackFrame frameOf(const MappedFiles::Place& place);
    std::uint64_t placeOf(const EventView& event, const Fields& fields, StackFrame& frame);
    void truncateAll(HostTimestamp at);

    const Trace& m_trace;
    StateSink& m_sink;
    std::shared_ptr<const Store> m_mappedStore;
    MappedFiles m_mapped;
    std::vector<ModuleId> m_modules; ///< Of this store, by those of the mapped files; the unknown one: not met yet.
    /// An address that means the same all the time.
    struct KnownFrame {
        std::int32_t pid = -1;
        std::uint64_t address = 0;
        StackFrame frame;
    };
    FlatIndex m_byAddress;
    std::vector<KnownFrame> m_frames;
    CallOutput m_out;
    std::int32_t m_pid = -1; ///< That the whole trace is of, where it says so.
    std::vector<Fields> m_fields; ///< By EventTypeId.
    std::unordered_map<ThreadId, Thread, Hash> m_threads;
    std::map<std::pair<std::uint32_t, std::int32_t>, Process> m_processes;
    std::map<std::string, ModuleId> m_sourceFiles; ///< Of functions that are named by texts.
    std::map<std::tuple<std::uint32_t, std::string, std::int64_t>, std::uint64_t> m_places; ///< Of those: by module, name and line.
    std::unordered_map<std::string, std::uint64_t> m_keys; ///< Numbers of their names, which exits are told from.
    std::unordered_map<std::string, int> m_lives; ///< How many threads a key had.
};

} // namespace helio::calls
