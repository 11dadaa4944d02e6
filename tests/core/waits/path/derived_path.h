#pragma once

// Reference implementation of the critical path, computed from the activities of each thread on each host.

#include "derived_threads.h"

#include <algorithm>
#include <deque>

namespace helio::test {

struct DerivedSegment {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::size_t trace = 0;
    std::int64_t tid = 0;
    std::string what; ///< Activity of the thread: "on CPU", "queued", "unknown", or the word for the kind of wait.
    bool operator==(const DerivedSegment&) const = default;
};

/// Appends a segment to the path; extends the last segment if it is of the same kind and adjacent.
inline void append(std::vector<DerivedSegment>& path, DerivedSegment segment)
{
    if (segment.begin >= segment.end)
        return;
    if (!path.empty() && path.back().end == segment.begin && path.back().trace == segment.trace && path.back().tid == segment.tid
        && path.back().what == segment.what)
        path.back().end = segment.end;
    else
        path.push_back(std::move(segment));
}

class DerivedPath {
public:
    explicit DerivedPath(const std::deque<DerivedThreads>& traces)
        : m_traces(traces)
    {
    }

    /// Segments of a thread's path in [begin, end), including the segments of other threads that it waited for.
    std::vector<DerivedSegment> of(std::size_t trace, std::int64_t tid, std::int64_t begin, std::int64_t end)
    {
        m_path.clear();
        go({begin, end, trace, tid, "unknown"});
        return m_path;
    }

private:
    /// Continues the path in thread `tid`, for which the segment `beforeBirth` waits. If the thread began after the beginning of the
    /// segment, the time before the thread's beginning stays a wait.
    void follow(std::size_t trace, std::int64_t tid, DerivedSegment beforeBirth)
    {
        const auto& parts = m_traces[trace].all.at(tid).parts;
        const std::int64_t born = parts.empty() ? beforeBirth.end : std::min(beforeBirth.end, parts.front().begin);
        const std::int64_t begin = std::max(born, beforeBirth.begin), end = beforeBirth.end;
        beforeBirth.end = born;
        append(m_path, std::move(beforeBirth));
        go({begin, end, trace, tid, "unknown"});
    }

    void go(const DerivedSegment& window)
    {
        const DerivedThread& thread = m_traces[window.trace].all.at(window.tid);
        for (std::size_t i = 0; i < thread.parts.size(); ++i) {
            const DerivedActivity& part = thread.parts[i];
            DerivedSegment own = window;
            own.begin = std::max(window.begin, part.begin);
            own.end = std::min(window.end, i + 1 < thread.parts.size() ? thread.parts[i + 1].begin : thread.end);
            if (own.begin >= own.end)
                continue;
            if (part.doing == Doing::Waiting)
                wait(part, own);
            else {
                own.what = part.doing == Doing::OnCpu ? "on CPU" : part.doing == Doing::Queued ? "queued" : "unknown";
                append(m_path, own);
            }
        }
    }

    void wait(const DerivedActivity& part, DerivedSegment own)
    {
        own.what = wordOf(part.kind);
        if (isForPacket(part, own))
            return waitForPacket(part, own);
        if (part.waker != 0)
            return follow(own.trace, part.waker, own);
        append(m_path, own);
    }

    /// True if the woken thread sends from the packet's socket. Another thread that is woken while a packet arrives may be woken by
    /// coincidence.
    bool isForPacket(const DerivedActivity& part, const DerivedSegment& own) const
    {
        const auto& senders = m_traces[own.trace].senders;
        const auto owners = senders.find(part.packet.to);
        return !part.packet.key.empty() && owners != senders.end() && owners->second.contains(own.tid);
    }

    void waitForPacket(const DerivedActivity& part, DerivedSegment own)
    {
        own.what = wordOf(PathKind::Network);
        for (std::size_t trace = 0; trace < m_traces.size(); ++trace) {
            const SentPacket* const packet = findSentPacket(trace, part.packet);
            if (!packet)
                continue;
            const std::int64_t sender = findSender(trace, *packet);
            const std::int64_t until = sender == 0 ? own.begin : std::min(own.end, sendTime(trace, sender, *packet));
            if (until > own.begin) {
                DerivedSegment before = own;
                before.end = own.begin = until;
                follow(trace, sender, before);
            }
            break;
        }
        append(m_path, own);
    }

    /// Finds the sent packet that completes a received packet (several sent packets may arrive as one); nullptr if this trace sent no
    /// part of the packet.
    const SentPacket* findSentPacket(std::size_t trace, const Packet& packet) const
    {
        const auto& sent = m_traces[trace].sent;
        if (const auto whole = std::ranges::find(sent, packet.key, [](const SentPacket& it) { return it.packet.key; }); whole != sent.end())
            return &*whole;
        const SentPacket* last = nullptr;
        for (const SentPacket& it : sent)
            if (it.packet.from == packet.from && it.packet.to == packet.to && it.packet.payload > 0
                && it.packet.sequence - packet.sequence < packet.payload)
                last = &it;
        return last;
    }

    /// Returns the TID of the sender. For a packet that the kernel sent by itself, returns the last thread that sent in this direction of
    /// the connection before the packet, otherwise the first thread that sent after it.
    std::int64_t findSender(std::size_t trace, const SentPacket& packet) const
    {
        std::int64_t thread = packet.tid;
        for (const SentPacket& it : m_traces[trace].sent) {
            if (it.tid == 0 || packet.tid != 0 || it.packet.from != packet.packet.from || it.packet.to != packet.packet.to)
                continue;
            if (it.at > packet.at && thread != 0)
                break;
            thread = it.tid;
            if (it.at > packet.at)
                break;
        }
        return thread;
    }

    /// Returns the time at which the thread passed the data to the kernel; 0 if the kernel itself sent a packet without data (an
    /// acknowledgement) while the thread waited.
    std::int64_t sendTime(std::size_t trace, std::int64_t tid, const SentPacket& sent) const
    {
        const auto& parts = m_traces[trace].all.at(tid).parts;
        const auto after = std::ranges::upper_bound(parts, sent.at, {}, &DerivedActivity::begin);
        if (after == parts.begin() || std::prev(after)->doing == Doing::OnCpu || std::prev(after)->doing == Doing::Queued)
            return sent.at;
        return sent.packet.payload == 0 ? 0 : std::prev(after)->begin;
    }

    const std::deque<DerivedThreads>& m_traces;
    std::vector<DerivedSegment> m_path;
};

} // namespace helio::test
