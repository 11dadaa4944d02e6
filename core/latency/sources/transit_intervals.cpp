#include "core/event_model/segment_fields.h"
#include "core/latency/intervals/event_rows.h"
#include "core/latency/intervals/interval_source.h"
#include "core/network/packet_transits.h"
#include "core/timesync/link_ends.h"

#include <algorithm>
#include <cctype>

namespace helio {
namespace {

/// Transits of packets, from departure to arrival, on the row of the sending thread. If an interrupt sent the packet, the interval has a
/// row without a thread.
class TransitIntervals : public IntervalSource {
public:
    TransitIntervals(std::shared_ptr<const Timeline> timeline, IntervalKind kind)
        : IntervalSource(std::move(kind))
        , m_timeline(std::move(timeline))
    {
    }

    std::uint64_t forEach(const IntervalRequest& request, const Take& take, const std::stop_token& stop) const override
    {
        const Timeline& timeline = *m_timeline;
        EventRows rows(timeline);
        AcceptedRows accepted(request.accepts);
        const auto takeOne = [&](const PacketTransit& transit) {
            const Transmission& message = messageOf(timeline, transit);
            const Row& row = rows.at(message.fromTrace, message.sender, message.fromCpu, transit.range.begin);
            if (!accepted.has(row))
                return;
            SegmentFields fields;
            for (const auto& [key, value] : fieldsOf(timeline, transit))
                fields.add(key, value);
            const std::string name = request.areNamedByHosts ? hostsOf(timeline, transit) : connectionOf(timeline, transit);
            SourceInterval it{transit.range, row, name, fields.text()};
            it.error = transit.error;
            it.shown = endsOf(timeline, transit.relation, transit.message).from.row;
            take(it);
        };
        forEachTransit(timeline, kind().id, request.range, takeOne, stop);
        return 0;
    }
    bool knowsCpus() const override { return true; }

private:
    std::shared_ptr<const Timeline> m_timeline;
};

void listTransits(const std::shared_ptr<const Timeline>& timeline, IntervalSources& sources)
{
    for (const std::string& id : transitKinds(*timeline)) {
        IntervalKind kind{id, id + 's', "Connection", 70};
        std::ranges::replace(kind.title, '-', ' ');
        kind.title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(kind.title[0])));
        kind.areOfThreads = kind.areTransits = kind.hasFields = true;
        sources.push_back(std::make_unique<TransitIntervals>(timeline, kind));
    }
}

} // namespace

extern const IntervalSourceFactory transitIntervals;
const IntervalSourceFactory transitIntervals{listTransits, nullptr};

} // namespace helio
