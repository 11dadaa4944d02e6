#include "core/correlators/hypercalls/hypercall_matching.h"

#include "core/event_model/vcpu_modes.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/merged_events.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace helio::hypercalls {
namespace {

/// Number of a hypercall without any effect. Guests make this call only so that the traces of guest and host contain it.
constexpr std::int64_t SyncCall = 1000;

enum class Role : std::uint8_t { None, Text, Call, Event };

struct TypeUse {
    Role role = Role::None;
    ExchangeDirection way = ExchangeDirection::ToHost;
    bool isInGuest = false;
    FieldRef call; ///< Field with the number of the hypercall, for Role::Call.
    FieldRef machine;
    FieldRef number;
    FieldRef text;
};

FieldRef fieldOf(const EventType& type, std::string_view name) { return FieldRef(type, Section::Payload, name); }

TypeUse syncEvent(const EventType& type, ExchangeDirection way, bool isInGuest)
{
    return {Role::Event, way, isInGuest, {}, fieldOf(type, "vm_uid"), fieldOf(type, "cnt"), {}};
}

TypeUse useOf(const EventType& type)
{
    const std::string_view name = kvmName(type.name);
    TypeUse use;
    if (name == "vmsync_gh_guest")
        use = syncEvent(type, ExchangeDirection::ToHost, true);
    else if (name == "vmsync_gh_host")
        use = syncEvent(type, ExchangeDirection::ToHost, false);
    else if (name == "vmsync_hg_host")
        use = syncEvent(type, ExchangeDirection::ToGuest, false);
    else if (name == "vmsync_hg_guest")
        use = syncEvent(type, ExchangeDirection::ToGuest, true);
    else if (name == "kvm_x86_hypercall" || name == "kvm_hypercall")
        use = {Role::Call, ExchangeDirection::ToHost, false, fieldOf(type, "nr"), fieldOf(type, "a1"), fieldOf(type, "a0"), {}};
    else if (name == "lttng_logger")
        use = {Role::Text, ExchangeDirection::ToHost, true, {}, {}, {}, fieldOf(type, "msg")};
    const bool isWhole = use.role == Role::Text
        ? use.text.isValid()
        : use.machine.isValid() && use.number.isValid() && (use.role != Role::Call || use.call.isValid());
    return isWhole ? use : TypeUse{};
}

std::optional<std::uint64_t> takeNumber(std::string_view& text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc())
        return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool takeText(std::string_view& text, std::string_view what)
{
    const bool isThere = text.starts_with(what);
    text.remove_prefix(isThere ? what.size() : 0);
    return isThere;
}

/// Parses a text that marks an end of a message: "gh 101 17" (guest to host) or "hg 101 17" (host to guest) for message 17 of guest 101.
/// Returns nullopt for other texts.
std::optional<HypercallEnd> markIn(std::string_view text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == '\0' || text.back() == ' '))
        text.remove_suffix(1);
    const bool isToHost = takeText(text, "gh ");
    if (!isToHost && !takeText(text, "hg "))
        return {};
    const auto machine = takeNumber(text);
    if (!machine || !takeText(text, " "))
        return {};
    const auto number = takeNumber(text);
    if (!number || !text.empty())
        return {};
    HypercallEnd mark;
    mark.machine = *machine;
    mark.number = *number;
    mark.way = isToHost ? ExchangeDirection::ToHost : ExchangeDirection::ToGuest;
    mark.isInGuest = true;
    return mark;
}

class HypercallReader {
public:
    HypercallReader(const Trace& trace, std::uint32_t number, std::vector<HypercallEnd>& marks)
        : m_number(number)
        , m_marks(marks)
    {
        for (const auto& type : trace.eventTypes())
            m_uses.push_back(useOf(*type));
    }

    void take(const EventView& event)
    {
        const TypeUse& use = m_uses[static_cast<std::size_t>(event.record->type)];
        if (use.role == Role::None)
            return;
        switch (use.role) {
        case Role::None: break;
        case Role::Text:
            if (auto mark = markIn(use.text.text(event)))
                add(event, *mark);
            break;
        case Role::Call:
            if (use.call.integerOr(event, 0) == SyncCall)
                for (const ExchangeDirection way : {ExchangeDirection::ToHost, ExchangeDirection::ToGuest})
                    addNumbered(event, use, way);
            break;
        case Role::Event: addNumbered(event, use, use.way); break;
        }
    }

private:
    void addNumbered(const EventView& event, const TypeUse& use, ExchangeDirection way)
    {
        const auto machine = use.machine.integer(event);
        const auto number = use.number.integer(event);
        if (!machine || !number)
            return;
        HypercallEnd mark;
        mark.machine = static_cast<std::uint64_t>(*machine);
        mark.number = static_cast<std::uint64_t>(*number);
        mark.way = way;
        mark.isInGuest = use.isInGuest;
        add(event, mark);
    }

    void add(const EventView& event, HypercallEnd mark)
    {
        mark.time = event.time();
        mark.cpu = event.cpu();
        mark.trace = m_number;
        m_marks.push_back(mark);
    }

    const std::uint32_t m_number;
    std::vector<HypercallEnd>& m_marks;
    std::vector<TypeUse> m_uses; ///< Role and fields of each event type, indexed by event type.
};

auto exchangeOf(const HypercallEnd& mark) { return std::tuple(mark.machine, mark.way, mark.number); }

bool isSender(const HypercallEnd& mark) { return mark.isInGuest == (mark.way == ExchangeDirection::ToHost); }

class Matching {
public:
    Matching(Transmissions& messages, const ThreadAt& threadAt)
        : m_messages(messages)
        , m_threadAt(threadAt)
    {
    }

    /// Matches the ends of one message. `marks`: the sender's ends in time order, followed by the receiver's ends in time order.
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

bool hasHypercallEnds(const Trace& trace, std::span<const std::uint64_t> counts)
{
    return std::ranges::any_of(trace.eventTypes(), [&](const auto& type) {
        const auto id = static_cast<std::size_t>(type->id);
        return (id >= counts.size() || counts[id] > 0) && useOf(*type).role != Role::None;
    });
}

void readHypercallEnds(const Trace& trace, std::uint32_t number, std::vector<HypercallEnd>& marks, const std::stop_token& stop)
{
    HypercallReader reading(trace, number, marks);
    forEachEvent(
        trace, [&](const EventView& event) { reading.take(event); }, stop);
}

Transmissions matchHypercallEnds(std::vector<HypercallEnd> marks, std::size_t traces, const ThreadAt& threadAt)
{
    Transmissions messages;
    messages.kind = GuestMessages;
    messages.plural = "hypercalls";
    messages.traces.resize(traces);
    messages.observations = marks.size();
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
