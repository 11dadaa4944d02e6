#include "core/relations/packets/connection_lives.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <ranges>
#include <vector>

namespace helio::packets {
namespace {

bool has(const SentPacket& it, TcpFlag flag) { return (it.flags & static_cast<std::uint16_t>(flag)) != 0; }

/// How far it is from one sequence number to another, as they go round 2^32.
std::int32_t stepTo(std::uint32_t from, std::uint32_t to) { return static_cast<std::int32_t>(to - from); }

/// One direction of one connection.
struct Life {
    std::optional<std::uint32_t> opening; ///< The first number of who opened it: both directions' lives have the same.
    std::optional<std::uint32_t> first; ///< The first number of this direction, where its handshake was seen.
    std::uint32_t next = 0; ///< The number behind all that was sent.
    bool isBegun = false;
    std::vector<std::uint32_t> packets; ///< Their places.
};

/// The connections of one flow, one after the other.
class Lives {
public:
    explicit Lives(Transmissions& messages)
        : m_messages(messages)
    {
    }

    void take(std::uint32_t place)
    {
        SentPacket& it = m_messages.sent[place];
        Life& life = has(it, TcpFlag::Syn) ? openedBy(it) : nearestTo(it);
        const std::uint32_t inSequence = it.payload + (has(it, TcpFlag::Syn) || has(it, TcpFlag::Fin) ? 1 : 0);
        const std::uint32_t next = it.sequence + inSequence;
        it.isAgain = inSequence > 0 && life.isBegun && stepTo(life.next, next) <= 0;
        if (!life.isBegun || stepTo(life.next, next) > 0)
            life.next = next;
        life.isBegun = true;
        life.packets.push_back(place);
    }

    /// One that came in and was not seen to leave: who counts what was sent again knows nothing of it.
    void takeArrival(std::uint32_t place)
    {
        const std::uint32_t sequence = m_messages.sent[place].sequence;
        const auto distance = [&](const Life& life) {
            const bool isWithin = stepTo(life.first.value_or(life.next), sequence) >= 0 && stepTo(sequence, life.next) >= 0;
            return isWithin ? 0 : std::llabs(stepTo(life.next, sequence));
        };
        std::ranges::min_element(m_all, {}, distance)->packets.push_back(place);
    }

    std::vector<Life> takeAll() { return std::move(m_all); }

private:
    Life& openedBy(const SentPacket& it)
    {
        const std::uint32_t opening = has(it, TcpFlag::Acknowledge) ? it.acknowledgement - 1 : it.sequence;
        for (Life& life : m_all)
            if (life.opening == opening && life.first == it.sequence)
                return life;
        m_all.push_back({opening, it.sequence, it.sequence, false, {}});
        return m_all.back();
    }

    Life& nearestTo(const SentPacket& it)
    {
        if (m_all.empty())
            m_all.push_back({});
        if (m_all.size() == 1)
            return m_all.front();
        return *std::ranges::min_element(m_all, {}, [&](const Life& life) { return std::llabs(stepTo(life.next, it.sequence)); });
    }

    Transmissions& m_messages;
    std::vector<Life> m_all;
};

/// Numbers the connections of two flows, those of the same handshake as one.
class Numbering {
public:
    explicit Numbering(Transmissions& messages)
        : m_messages(messages)
    {
    }

    void take(std::uint32_t flow, const std::vector<Life>& there, std::uint32_t back, const std::vector<Life>& here)
    {
        m_flow = flow;
        m_back = back;
        for (const auto& [way, lives] : {std::pair(flow, &there), std::pair(back, &here)})
            for (const Life& life : *lives)
                if (life.opening)
                    number(life, known(*life.opening, life.first == life.opening ? way : other(way)));
        for (const auto& [lives, others] : {std::pair(&there, &here), std::pair(&here, &there)})
            for (const Life& life : *lives)
                if (!life.opening)
                    number(life, withoutHandshake(*lives, *others));
    }

private:
    std::uint32_t other(std::uint32_t way) const { return way == m_flow ? m_back : m_flow; }

    void number(const Life& life, std::uint32_t connection)
    {
        for (const std::uint32_t place : life.packets)
            m_messages.sent[place].connection = connection;
    }

    std::uint32_t add()
    {
        m_messages.connections.push_back({m_flow, m_back, false});
        return static_cast<std::uint32_t>(m_messages.connections.size() - 1);
    }

    std::uint32_t known(std::uint32_t opening, std::uint32_t opener)
    {
        const auto [known, isNew] = m_known.try_emplace(opening, 0);
        if (isNew)
            known->second = add();
        Connection& it = m_messages.connections[known->second];
        it.isOpened = true;
        if (opener == it.back && opener != NoFlow)
            std::swap(it.flow, it.back);
        return known->second;
    }

    /// The last one that only the other direction has a handshake of, else the one before all handshakes.
    std::uint32_t withoutHandshake(const std::vector<Life>& lives, const std::vector<Life>& others)
    {
        for (const Life& other : others | std::views::reverse)
            if (other.opening && std::ranges::none_of(lives, [&](const Life& it) { return it.opening == other.opening; }))
                return m_known.at(*other.opening);
        if (!m_early)
            m_early = add();
        return *m_early;
    }

    Transmissions& m_messages;
    std::uint32_t m_flow = NoFlow;
    std::uint32_t m_back = NoFlow;
    std::map<std::uint32_t, std::uint32_t> m_known; ///< By the opener's first number.
    std::optional<std::uint32_t> m_early;
};

/// Where each flow's packets begin; one more is the end.
std::vector<std::uint32_t> beginsOf(const Transmissions& messages)
{
    std::vector<std::uint32_t> begins(messages.flows.size() + 1);
    for (const SentPacket& it : messages.sent)
        ++begins[it.flow + 1];
    for (std::size_t i = 1; i < begins.size(); ++i)
        begins[i] += begins[i - 1];
    return begins;
}

bool isTcp(const Transmissions& messages, std::uint32_t flow)
{
    return messages.flows[flow].protocol == "tcp" && !messages.flows[flow].from.empty();
}

std::vector<Life> livesOf(Transmissions& messages, std::uint32_t flow, std::uint32_t begin, std::uint32_t end)
{
    if (begin == end)
        return {};
    if (!isTcp(messages, flow)) {
        Life all;
        for (std::uint32_t place = begin; place < end; ++place)
            all.packets.push_back(place);
        return {std::move(all)};
    }
    Lives lives(messages);
    for (std::uint32_t place = begin; place < end; ++place)
        if (messages.sent[place].isArrival && !messages.sent[begin].isArrival)
            lives.takeArrival(place); // Those that left come first.
        else
            lives.take(place);
    return lives.takeAll();
}

} // namespace

void findConnections(Transmissions& messages)
{
    const std::vector<std::uint32_t> begins = beginsOf(messages);
    for (std::uint32_t flow = 0; flow < messages.flows.size(); ++flow) {
        const std::uint32_t back = messages.flows[flow].back;
        if (back < flow) // Done with the other one.
            continue;
        const bool isBoth = back != NoFlow && back != flow;
        const auto there = livesOf(messages, flow, begins[flow], begins[flow + 1]);
        const auto here = isBoth ? livesOf(messages, back, begins[back], begins[back + 1]) : std::vector<Life>();
        Numbering(messages).take(flow, there, isBoth ? back : NoFlow, here);
    }
}

} // namespace helio::packets
