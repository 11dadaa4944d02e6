#pragma once

// The path of a thread, derived from what each thread did on each host.

#include "derived_threads.h"

#include <algorithm>
#include <deque>

namespace helio::test {

struct DerivedStretch {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::size_t trace = 0;
    std::int64_t tid = 0;
    std::string what; ///< "on CPU", "queued", or the word of what was waited for.
    bool operator==(const DerivedStretch&) const = default;
};

/// Joined with the one before where that is the same.
inline void append(std::vector<DerivedStretch>& path, DerivedStretch stretch)
{
    if (stretch.begin >= stretch.end)
        return;
    if (!path.empty() && path.back().end == stretch.begin && path.back().trace == stretch.trace && path.back().tid == stretch.tid
        && path.back().what == stretch.what)
        path.back().end = stretch.end;
    else
        path.push_back(std::move(stretch));
}

class DerivedPath {
public:
    explicit DerivedPath(const std::deque<DerivedThreads>& traces)
        : m_traces(traces)
    {
    }

    /// What a thread did in [begin, end), and what those did that it waited for.
    std::vector<DerivedStretch> of(std::size_t trace, std::int64_t tid, std::int64_t begin, std::int64_t end)
    {
        m_path.clear();
        go({begin, end, trace, tid, "unknown"});
        return m_path;
    }

private:
    /// `for_`: whose time it is as long as the thread is not there, and what for.
    void follow(std::size_t trace, std::int64_t tid, DerivedStretch for_)
    {
        const auto& parts = m_traces[trace].all.at(tid).parts;
        const std::int64_t born = parts.empty() ? for_.end : std::min(for_.end, parts.front().begin);
        const std::int64_t begin = std::max(born, for_.begin), end = for_.end;
        for_.end = born;
        append(m_path, std::move(for_));
        go({begin, end, trace, tid, "unknown"});
    }

    void go(const DerivedStretch& window)
    {
        const DerivedThread& thread = m_traces[window.trace].all.at(window.tid);
        for (std::size_t i = 0; i < thread.parts.size(); ++i) {
            const Part& part = thread.parts[i];
            DerivedStretch own = window;
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

    void wait(const Part& part, DerivedStretch own)
    {
        own.what = wordOf(part.kind);
        if (part.waker != 0)
            return follow(own.trace, part.waker, own);
        for (std::size_t trace = 0; trace < m_traces.size() && !part.packet.empty(); ++trace) {
            const auto packet = m_traces[trace].sent.find(part.packet);
            if (packet == m_traces[trace].sent.end())
                continue;
            if (packet->second.tid != 0 && packet->second.at > own.begin) {
                DerivedStretch before = own;
                before.end = own.begin = std::min(packet->second.at, own.end);
                follow(trace, packet->second.tid, before);
            }
            break;
        }
        append(m_path, own);
    }

    const std::deque<DerivedThreads>& m_traces;
    std::vector<DerivedStretch> m_path;
};

} // namespace helio::test
