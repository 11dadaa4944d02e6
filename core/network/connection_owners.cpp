#include "core/network/connection_owners.h"

#include "core/query/rows/rows.h"

#include <algorithm>

namespace helio {
namespace {

/// Returns the tid with the most votes, the smallest one if several have as many; -1 if there are no votes.
std::int32_t winnerOf(const std::map<std::int32_t, std::uint32_t>& votes)
{
    const auto most = std::ranges::max_element(votes, {}, [](const auto& it) { return it.second; });
    return most != votes.end() ? most->first : -1;
}

/// Returns the address of an end as the other end knows it.
const std::string& addressAtOther(const ConnectionEnd& end) { return end.translated.empty() ? end.address : end.translated; }

} // namespace

ConnectionOwners::ConnectionOwners(const Timeline& timeline)
    : m_timeline(timeline)
{
    for (const Row& row : threads(timeline))
        m_names[{row.host, row.tid}].push_back({row.life, row.label, row.pid});
    for (const auto& relation : timeline.relations)
        if (relation && relation->messages)
            addCalls(*relation->messages);
    for (auto& [key, calls] : m_calls)
        std::ranges::stable_sort(calls, {}, &Call::at);
}

void ConnectionOwners::decide(const OwnerVotes& from, const OwnerVotes& to, const Transmissions& messages,
                              ConnectionFacts& connection) const
{
    decideEnd(from, connectOf(messages, connection), connection, connection.from);
    decideEnd(to, acceptOf(messages, connection), connection, connection.to);
}

void ConnectionOwners::decideEnd(const OwnerVotes& votes, const SocketCall* call, ConnectionFacts& connection, ConnectionEnd& end) const
{
    if (const std::int32_t sender = winnerOf(votes.sent); sender > 0) {
        end.tid = sender;
        end.ownerEvidence = OwnerEvidence::Sent;
    } else if (call && call->tid > 0) {
        end.tid = call->tid;
        end.ownerEvidence = call->kind == SocketCall::Kind::Accept ? OwnerEvidence::Accepted : OwnerEvidence::Connected;
    } else if (const std::int32_t woken = winnerOf(votes.woken); woken > 0) {
        end.tid = woken;
        end.ownerEvidence = OwnerEvidence::Woken;
    }
    if (end.tid > 0 && end.host != ConnectionEnd::NoHost)
        addNames(end, connection.range.begin);
}

/// Returns the first accept() after the connection's beginning from the same address and port; nullptr if there is none. Until the
/// connection ends, this address and port belong to no other connection.
const SocketCall* ConnectionOwners::acceptOf(const Transmissions& messages, const ConnectionFacts& connection) const
{
    const auto calls = callsOf({&messages, SocketCall::Kind::Accept, connection.to.host, addressAtOther(connection.from)});
    const auto found = std::ranges::lower_bound(calls, connection.range.begin, {}, &Call::at);
    return found != calls.end() ? found->call : nullptr;
}

/// Returns the last connect() to the same address in the millisecond before the handshake; nullptr if there is none.
const SocketCall* ConnectionOwners::connectOf(const Transmissions& messages, const ConnectionFacts& connection) const
{
    constexpr Duration JustBefore = std::chrono::milliseconds(1);
    if (!connection.syn)
        return nullptr;
    const auto calls = callsOf({&messages, SocketCall::Kind::Connect, connection.from.host, connection.to.address});
    const auto behind = std::ranges::upper_bound(calls, *connection.syn, {}, &Call::at);
    if (behind == calls.begin() || *connection.syn - behind[-1].at > JustBefore)
        return nullptr;
    return std::ranges::lower_bound(calls, behind[-1].at, {}, &Call::at)->call; // The first of several calls at the same time.
}

std::span<const ConnectionOwners::Call> ConnectionOwners::callsOf(const CallKey& key) const
{
    const auto found = m_calls.find(key);
    return found != m_calls.end() ? std::span<const Call>(found->second) : std::span<const Call>();
}

void ConnectionOwners::addCalls(const Transmissions& messages)
{
    for (const SocketCall& call : messages.calls) {
        const TimelineTrace& trace = m_timeline.traces[call.trace];
        m_calls[{&messages, call.kind, trace.host, call.peer}].push_back({trace.clock(call.at), &call});
    }
}

void ConnectionOwners::addNames(ConnectionEnd& end, Timestamp at) const
{
    const auto nameOf = [&](std::int32_t tid) -> const Name* {
        const auto found = m_names.find({end.host, tid});
        if (found == m_names.end())
            return nullptr;
        const Name* name = &found->second.front();
        for (const Name& it : found->second) // Several threads may have had this tid: take the one that lived at that time.
            if (it.life.begin <= at)
                name = &it;
        return name;
    };
    const Name* thread = nameOf(end.tid);
    if (!thread)
        return;
    end.thread = thread->thread;
    const Name* process = thread->pid > 0 ? nameOf(thread->pid) : nullptr;
    end.process = process ? process->thread : thread->thread;
}

} // namespace helio
