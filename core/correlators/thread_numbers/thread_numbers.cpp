#include "core/correlation/correlator.h"
#include "core/experiment/host_threads.h"
#include "core/trace/recording_advice.h"

#include <algorithm>
#include <array>
#include <string>

namespace helio {
namespace {

/// Returns a warning about `count` threads of a trace that match no thread of the kernel trace.
Diagnostic unjoinedNote(const TraceInfo& info, std::uint64_t count, std::int32_t example)
{
    return {Diagnostic::Severity::Warning,
            "thread-numbers",
            info.path.string(),
            0,
            count,
            std::to_string(count) + (count == 1 ? " thread has a TID" : " threads have TIDs") + ", such as " + std::to_string(example)
                + ", that the kernel trace uses for other threads: container processes are numbered in a PID namespace of their own. "
                  "Their kernel states and CPU times are unknown. Record the namespace with: "
                + adviseRecording(RecordableData::PidNamespaces, std::array{&info}).command};
}

/// Finds user-space threads whose TID differs from their TID on the host: threads of containers.
class ThreadNumbersRelation final : public Correlator {
public:
    std::string_view id() const override { return "thread-numbers"; }
    When when() const override { return When::Indexed; }

    bool appliesTo(const Timeline& timeline) const override { return timeline.traces.size() > 1; }

    Result<Correlation> make(const Timeline& timeline, const CorrelatorRequest&, std::stop_token stop) const override
    {
        Correlation found;
        ThreadNumbers all;
        for (std::uint32_t trace = 0; trace < timeline.traces.size() && !stop.stop_requested(); ++trace) {
            ThreadNumbers numbers = findHostThreads(timeline, trace);
            const auto isUnjoined = [](const auto& it) { return it.first.pidNamespace == 0 && it.second < 0; };
            if (const auto first = std::ranges::find_if(numbers, isUnjoined); first != numbers.end())
                found.diagnostics.push_back(unjoinedNote(timeline.traces[trace].trace->info(),
                                                         static_cast<std::uint64_t>(std::ranges::count_if(numbers, isUnjoined)),
                                                         first->first.tid));
            all.merge(numbers);
        }
        found.threads = std::make_shared<const ThreadNumbers>(std::move(all));
        return found;
    }
};

} // namespace

extern const BuiltinCorrelator threadNumbersRelation{
    []() -> std::shared_ptr<const Correlator> { return std::make_shared<ThreadNumbersRelation>(); }};

} // namespace helio
