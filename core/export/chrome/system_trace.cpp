#include "core/export/chrome/system_trace.h"

#include "core/base/json.h"

#include <algorithm>
#include <cstdio>

namespace helio {
namespace {

/// Returns a time in seconds with all its ns.
std::string secondsText(std::int64_t ns)
{
    constexpr std::int64_t Second = 1'000'000'000;
    char text[40];
    std::snprintf(text, sizeof text, "%lld.%09lld", static_cast<long long>(ns / Second), static_cast<long long>(ns % Second));
    return text;
}

/// Appends a text to a JSON string that is already open.
void appendInside(std::string& out, const std::string& text)
{
    std::string quoted;
    appendJson(quoted, text);
    out.append(quoted, 1, quoted.size() - 2);
}

/// Returns a priority for a line, which must have one; 0 if it is not recorded.
std::string priorityText(const std::optional<std::int64_t>& priority) { return std::to_string(priority.value_or(0)); }

} // namespace

void SystemTraceText::run(const WalkedRun& run)
{
    m_runs.push_back(run);
    if (run.end)
        m_runEnds.emplace_back(*run.end, run.cpu);
}

bool SystemTraceText::partEnded(std::int64_t end)
{
    writeBefore(end);
    return m_file.isWritable();
}

void SystemTraceText::writeBefore(std::int64_t end)
{
    const auto isEarlier = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::ranges::stable_sort(m_runEnds, isEarlier);
    std::size_t nextWakeup = 0;
    std::size_t nextEnd = 0;
    // At equal times, a wake-up came before the switch, because the switch holds the run queue's lock; the end of a run comes last, because
    // it is only written if no switch ends the run.
    const auto writeOthers = [&](std::int64_t until) {
        for (;;) {
            const bool hasWakeup = nextWakeup < m_wakeups.size() && m_wakeups[nextWakeup].ts <= until;
            const bool hasEnd = nextEnd < m_runEnds.size() && m_runEnds[nextEnd].first < until;
            if (!hasWakeup && !hasEnd)
                return;
            if (hasWakeup && (!hasEnd || m_wakeups[nextWakeup].ts <= m_runEnds[nextEnd].first)) {
                writeWakeup(m_wakeups[nextWakeup++]);
            } else {
                endRun(m_runEnds[nextEnd].second, m_runEnds[nextEnd].first);
                ++nextEnd;
            }
        }
    };
    for (const WalkedRun& run : m_runs) {
        writeOthers(run.ts);
        writeSwitch(run.ts, run.cpu, {run.utid, run.end, run.endState, run.priority});
    }
    writeOthers(end);
    m_runs.clear();
    m_wakeups.clear();
    m_runEnds.erase(m_runEnds.begin(), m_runEnds.begin() + static_cast<std::ptrdiff_t>(nextEnd));
}

std::int32_t SystemTraceText::tidOf(std::int64_t utid) const
{
    const auto index = static_cast<std::size_t>(utid);
    return utid >= 0 && index < m_walk.threads().size() ? m_walk.threads()[index].tid : 0;
}

std::string SystemTraceText::nameOf(std::int64_t utid) const
{
    const auto index = static_cast<std::size_t>(utid);
    if (utid < 0 || index >= m_walk.threads().size())
        return "<...>";
    const WalkedThread& thread = m_walk.threads()[index];
    std::string name = thread.isIdle() ? "swapper" : thread.name.empty() ? "<...>" : thread.name;
    std::ranges::replace_if(
        name, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return name;
}

void SystemTraceText::writeLine(std::int64_t ts, std::int32_t cpu, std::int64_t utid, const std::string& event)
{
    std::string line;
    if (!m_isBegun) {
        m_isBegun = true;
        m_file.write(",\n\"systemTraceEvents\":\"");
        // The marker says that the times of both parts of the file are those of one clock.
        const std::string time = secondsText(ts);
        line = "# tracer: nop\n#\n           <...>-0     (-----) [000] .... " + time
            + ": tracing_mark_write: trace_event_clock_sync: parent_ts=" + time + '\n';
    }
    const auto index = static_cast<std::size_t>(utid);
    const std::int32_t pid = utid >= 0 && index < m_walk.threads().size() ? m_walk.threads()[index].pid : -1;
    char head[64];
    std::snprintf(head, sizeof head, "-%d (%s) [%03d] .... ", tidOf(utid), pid > 0 ? std::to_string(pid).c_str() : "-----", cpu);
    line += nameOf(utid) + head + secondsText(ts) + ": " + event + '\n';
    appendInside(m_file.buffer(), line);
    m_file.flushIfFull();
}

void SystemTraceText::writeSwitch(std::int64_t ts, WalkedCpu id, const Running& next)
{
    Running& cpu = m_cpus[id];
    const bool isKnown = cpu.utid >= 0 && cpu.end == ts;
    const std::int64_t previous = isKnown ? cpu.utid : -1;
    writeLine(ts, id.cpu, previous,
              "sched_switch: prev_comm=" + nameOf(previous) + " prev_pid=" + std::to_string(tidOf(previous))
                  + " prev_prio=" + priorityText(isKnown ? cpu.priority : std::nullopt)
                  + " prev_state=" + (isKnown && !cpu.endState.empty() ? cpu.endState : "?") + " ==> next_comm=" + nameOf(next.utid)
                  + " next_pid=" + std::to_string(tidOf(next.utid)) + " next_prio=" + priorityText(next.priority));
    cpu = next;
}

/// Ends the run that is known to end at `at`, if no other thread follows it. Viewers show the thread until the next context switch, so that
/// the idle thread follows. The text cannot say that the thread is not known.
void SystemTraceText::endRun(WalkedCpu id, std::int64_t at)
{
    const Running& cpu = m_cpus[id];
    if (cpu.utid >= 0 && cpu.end == at && !m_walk.threads()[static_cast<std::size_t>(cpu.utid)].isIdle())
        writeSwitch(at, id, {RecordingWalk::idleThreadOf(id.host), {}, {}, {}});
}

void SystemTraceText::writeWakeup(const WalkedWakeup& wakeup)
{
    if (wakeup.cpu.cpu < 0 || wakeup.woken < 0) // A line needs a CPU and a thread.
        return;
    const auto running = m_cpus.find(wakeup.cpu);
    const std::int64_t waker = wakeup.waker >= 0 ? wakeup.waker : running != m_cpus.end() ? running->second.utid : -1;
    writeLine(wakeup.ts, wakeup.cpu.cpu, waker,
              "sched_waking: comm=" + nameOf(wakeup.woken) + " pid=" + std::to_string(tidOf(wakeup.woken))
                  + " prio=0 target_cpu=" + std::to_string(wakeup.cpu.cpu));
}

} // namespace helio
