#include "core/correlators/hypercalls/hypercall_matching.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <tuple>

namespace helio::hypercalls {
namespace {

auto exchangeOf(const HypercallEnd& mark) { return std::tuple(mark.machine, mark.way, mark.number); }

bool isSender(const HypercallEnd& mark) { return mark.isInGuest == (mark.way == ExchangeDirection::ToHost); }

class Matching {
public:
    Matching(Transmissions& messages, const ThreadAt& threadAt)
        : m_messages(messages)
        , m_threadAt(threadAt)
    {
    }

    /// Matches the ends of one exchange: all sending ends come first, and both sides are in time order.
    void take(std::span<const HypercallEnd> marks)
    {
        const auto firstIn = std::ranges::find_if(marks, [](const HypercallEnd& mark) { return !isSender(mark); });
        const auto sent = static_cast<std::size_t>(firstIn - marks.begin());
        if (sent == 0 || sent == marks.size())
            m_messages.unmatched += marks.size();
        else if (marks.size() != 2 * sent)
            m_messages.ambiguous += marks.size();
        else
            for (std::size_t i = 0; i < sent; ++i)
                add(marks[i], marks[sent + i]);
    }

private:
    void add(const HypercallEnd& from, const HypercallEnd& to)
    {
        Transmission message;
        message.flow = flowOf(from);
        message.fromTrace = from.trace;
        message.toTrace = to.trace;
        message.fromCpu = from.cpu;
        message.toCpu = to.cpu;
        message.sent = from.time;
        message.received = to.time;
        message.sender = m_threadAt(from.trace, from.cpu, from.time);
        message.receiver = m_threadAt(to.trace, to.cpu, to.time);
        message.sequence = static_cast<std::uint32_t>(from.number);
        m_messages.all.push_back(message);
        ++m_messages.traces[from.trace].matched;
        ++m_messages.traces[to.trace].matched;
    }

    std::uint32_t flowOf(const HypercallEnd& mark)
    {
        const auto [found, isNew] = m_flows.try_emplace({mark.machine, mark.way}, static_cast<std::uint32_t>(m_messages.flows.size()));
        if (isNew) {
            const std::string guest = "guest " + std::to_string(mark.machine);
            Flow& flow = m_messages.flows.emplace_back(Flow{"hypercall", guest, "host"});
            if (mark.way == ExchangeDirection::ToGuest)
                std::swap(flow.from, flow.to);
        }
        return found->second;
    }

    Transmissions& m_messages;
    const ThreadAt& m_threadAt;
    std::map<std::pair<std::uint64_t, ExchangeDirection>, std::uint32_t> m_flows;
};

} // namespace

Transmissions matchHypercallEnds(std::vector<HypercallEnd> marks, std::size_t traces, const ThreadAt& threadAt)
{
    Transmissions messages;
    messages.kind = GuestMessages;
    messages.plural = "hypercalls";
    messages.traces.resize(traces);
    messages.sightings = marks.size();
    for (const HypercallEnd& mark : marks)
        ++(mark.isInGuest ? messages.traces[mark.trace].out : messages.traces[mark.trace].in);
    std::ranges::stable_sort(marks, {}, [](const HypercallEnd& mark) { return std::tuple(exchangeOf(mark), !isSender(mark), mark.time); });
    Matching matching(messages, threadAt);
    for (std::size_t begin = 0; begin < marks.size();) {
        std::size_t end = begin + 1;
        while (end < marks.size() && exchangeOf(marks[end]) == exchangeOf(marks[begin]))
            ++end;
        matching.take(std::span(marks).subspan(begin, end - begin));
        begin = end;
    }
    std::ranges::stable_sort(messages.all, {}, [](const Transmission& it) { return std::pair(it.fromTrace, it.sent); });
    messages.counts.resize(messages.flows.size());
    return messages;
}

} // namespace helio::hypercalls
