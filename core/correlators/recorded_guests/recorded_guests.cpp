#include "core/correlation/correlator.h"
#include "core/experiment/timeline.h"

#include <string>

namespace helio {
namespace {

Diagnostic clockNote(const TraceInfo& info, const TraceInfo& host)
{
    return {Diagnostic::Severity::Info,
            "guest-clock",
            info.path.string(),
            0,
            1,
            "its times were converted to the clock of " + host.name + " while both were recorded"};
}

/// Finds guest traces that were recorded together with their host by `trace-cmd record -A`. trace-cmd converts the times in such a guest
/// trace to the host's clock. So the correlator relates the guest's clock to the host's clock, without a correction.
class RecordedGuests final : public Correlator {
public:
    std::string_view id() const override { return "recorded-guests"; }
    When when() const override { return When::Opened; }

    bool appliesTo(const Timeline& timeline) const override { return timeline.traces.size() > 1; }

    Result<Correlation> make(const Timeline& timeline, const CorrelatorRequest&, std::stop_token) const override
    {
        Correlation found;
        for (std::uint32_t guest = 0; guest < timeline.traces.size(); ++guest) {
            const TraceInfo& info = timeline.traces[guest].trace->info();
            if (info.session.hostId.empty())
                continue;
            for (std::uint32_t host = 0; host < timeline.traces.size(); ++host)
                if (const TraceInfo& other = timeline.traces[host].trace->info();
                    host != guest && other.session.id == info.session.hostId) {
                    found.clocks.push_back({guest, ClockTransform(Duration{}), host, clockNote(info, other)});
                    break;
                }
        }
        return found;
    }
};

} // namespace

extern const BuiltinCorrelator recordedGuestsRelation{
    []() -> std::shared_ptr<const Correlator> { return std::make_shared<RecordedGuests>(); }};

} // namespace helio
