#pragma once

// Activities of each thread of a recorded kernel, computed from the events that libbabeltrace2 reads: a second implementation, which
// shares no code with the analyses.

#include "core/clock/clock_transform.h"
#include "core/waits/path/path.h"
#include "tests/support/babeltrace_oracle.h"

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace helio::test {

enum class Doing { OnCpu, Queued, Waiting, Unknown };

/// A network packet, described by its headers.
struct Packet {
    std::string key; ///< Text that identifies the packet on all hosts; empty if there is no packet.
    std::string from, to; ///< Sockets (address and port) of the sender and the receiver.
    std::uint32_t sequence = 0;
    std::uint32_t payload = 0; ///< Payload in bytes.
};

struct SentPacket {
    std::int64_t at = 0;
    std::int64_t tid = 0; ///< TID of the sending thread; 0 if no thread sent it.
    Packet packet{};
};

/// An activity of a thread; it lasts until the thread's next activity.
struct DerivedActivity {
    std::int64_t begin = 0;
    Doing doing = Doing::Unknown;
    // Members for waits only:
    PathKind kind = PathKind::Blocked; ///< Cause of the wait; not used if a thread ended it.
    std::int64_t waker = 0; ///< TID of the thread that ended the wait; 0 if no thread ended it.
    Packet packet{}; ///< Packet that was received just before the wait's end.
};

struct DerivedThread {
    std::vector<DerivedActivity> parts;
    /// Time of the thread's last switch-out, when it had exited; the maximum if it did not end in the trace.
    std::int64_t end = std::numeric_limits<std::int64_t>::max();
};

class DerivedThreads {
public:
    /// Reads the events of the folders. `clock`: from the trace's clock to the experiment's.
    explicit DerivedThreads(const std::vector<std::filesystem::path>& folders, ClockTransform clock = {})
        : m_clock(clock)
    {
        findFirstThreads(folders);
        BabeltraceOracle oracle(folders);
        while (oracle.next() == BabeltraceOracle::Kind::Event) {
            m_now = nanoseconds(m_clock(hostTime(oracle.time())));
            m_cpu = &m_cpus[oracle.cpu()];
            m_oracle = &oracle;
            m_text.clear();
            read(oracle.name());
        }
        m_oracle = nullptr;
    }

    std::map<std::int64_t, DerivedThread> all;
    std::vector<SentPacket> sent;
    std::map<std::string, std::set<std::int64_t>> senders; ///< TIDs of the threads that sent from each socket.

private:
    static constexpr std::int64_t BeforeTrace = std::numeric_limits<std::int64_t>::min(); ///< A time that is earlier than the trace.

    struct Context {
        std::string what; ///< Kind of the context: "irq", "softirq", "vector", "timer".
        PathKind kind = PathKind::Blocked;
    };
    struct Cpu {
        std::int64_t thread = -1; ///< TID of the CPU's current thread; -1 until a switch-in is seen.
        std::vector<Context> contexts; ///< Open interrupt contexts, innermost last.
        Packet packet; ///< The received packet that the CPU is handling; its key is empty if there is none.
    };
    struct Now {
        std::string call; ///< Name of the current system call.
        bool isUser = false; ///< True if the thread returned to user space and has not entered the kernel since.
        bool isKernel = false;
        bool isBeingWoken = false; ///< True between sched_waking and sched_wakeup.
        PathKind wokenFor = PathKind::Blocked; ///< Wait cause according to the last sched_waking.
    };

    /// Finds the thread that ran on each CPU before the CPU's first switch, which names it.
    void findFirstThreads(const std::vector<std::filesystem::path>& folders)
    {
        BabeltraceOracle oracle(folders);
        m_oracle = &oracle;
        while (oracle.next() == BabeltraceOracle::Kind::Event) {
            if (std::string_view(oracle.name()) != "sched_switch" || m_cpus.contains(oracle.cpu()))
                continue;
            m_text.clear();
            const std::int64_t first = m_cpus[oracle.cpu()].thread = number("prev_tid");
            if (first != 0)
                all[first].parts.push_back({BeforeTrace, Doing::OnCpu});
        }
    }

    const std::string& text() { return m_text.empty() ? m_text = ' ' + m_oracle->payloadText() : m_text; }
    std::string word(const std::string& name)
    {
        auto at = text().find(name + '=');
        while (at != std::string::npos && m_text[at - 1] != ' ' && m_text[at - 1] != '{')
            at = m_text.find(name + '=', at + 1);
        if (at == std::string::npos)
            return {};
        const auto from = at + name.size() + 1;
        return m_text.substr(from, m_text.find(' ', from) - from);
    }
    std::int64_t number(const std::string& name) { return std::strtoll(word(name).c_str(), nullptr, 10); }
    std::string string(const std::string& name)
    {
        const auto from = text().find(' ' + name + "=\"") + name.size() + 3;
        return m_text.substr(from, m_text.find('"', from) - from);
    }

    void read(const std::string& name)
    {
        if (name == "sched_switch")
            readSwitch();
        else if (name == "sched_waking" || (name == "sched_wakeup" && !m_hasWaking) || name == "sched_wakeup_new")
            readWaking(name == "sched_waking");
        else if (name == "sched_wakeup")
            readWakeup();
        else if (name == "sched_process_fork")
            readFork();
        else if (name == "sched_process_exit")
            m_threads[number("tid")].isUser = false;
        else if (name == "lttng_statedump_process_state")
            readDump();
        else if (name.starts_with("syscall_entry_"))
            readCall(name.substr(14), false);
        else if (name.starts_with("syscall_exit_"))
            readCall({}, true);
        else if (name == "net_dev_queue")
            readSend();
        else if (name == "net_if_receive_skb")
            m_cpu->packet = packet();
        else if (name == "napi_poll")
            m_cpu->packet = {};
        else
            readContext(name);
    }

    Packet packet()
    {
        Packet it;
        for (const char* name : {"saddr", "daddr", "id", "tot_len", "source_port", "dest_port", "seq", "ack_seq", "flags"})
            it.key += word(name) + ' ';
        it.from = word("saddr") + word("source_port");
        it.to = word("daddr") + word("dest_port");
        it.sequence = static_cast<std::uint32_t>(number("seq"));
        it.payload = static_cast<std::uint32_t>(number("tot_len") - 4 * (number("ihl") + number("data_offset")));
        return it;
    }

    void readSend()
    {
        const bool isOfThread = m_cpu->contexts.empty() && m_cpu->thread > 0 && !m_threads[m_cpu->thread].isKernel;
        sent.push_back({m_now, isOfThread ? m_cpu->thread : 0, packet()});
        if (isOfThread)
            senders[sent.back().packet.from].insert(m_cpu->thread);
    }

    void readSwitch()
    {
        const std::int64_t prev = number("prev_tid"), next = number("next_tid"), state = number("prev_state");
        if (prev != 0)
            leave(prev, state);
        m_cpu->thread = next;
        m_cpu->packet = {};
        if (next != 0)
            begin(next, {m_now, Doing::OnCpu});
    }

    void leave(std::int64_t tid, std::int64_t state)
    {
        const bool isRunnable = state == 0 || (state & 0x100) != 0;
        if (!isRunnable && (state & 0x30) != 0)
            all[tid].end = m_now;
        else if (isRunnable)
            begin(tid, {m_now, Doing::Queued});
        else
            begin(tid, {m_now, Doing::Waiting, m_threads[tid].isBeingWoken ? m_threads[tid].wokenFor : PathKind::Blocked});
    }

    void readWaking(bool isWaking)
    {
        m_hasWaking |= isWaking;
        const std::int64_t tid = number("tid");
        Now& thread = m_threads[tid];
        thread.isBeingWoken = isWaking;
        const DerivedActivity end = endOfWait(thread);
        thread.wokenFor = end.kind;
        auto& parts = all[tid].parts;
        if (parts.empty()) // This is the first event of the thread, which may have waited or may only have been about to wait.
            parts.push_back({BeforeTrace, Doing::Unknown});
        if (parts.back().doing == Doing::OnCpu || parts.back().doing == Doing::Queued)
            return;
        parts.back() = {parts.back().begin, parts.back().doing, end.kind, end.waker, end.packet};
        begin(tid, {m_now, Doing::Queued});
    }

    /// Handles sched_wakeup. If another CPU woke the thread while it was about to leave its own CPU, the event changes nothing.
    void readWakeup()
    {
        const std::int64_t tid = number("tid");
        m_threads[tid].isBeingWoken = false;
        if (auto& parts = all[tid].parts; !parts.empty() && parts.back().doing == Doing::Waiting)
            begin(tid, {m_now, Doing::Queued});
    }

    /// Returns an activity that describes how the thread's wait ends now: the waker or the cause, and the received packet.
    DerivedActivity endOfWait(const Now& thread)
    {
        DerivedActivity wait;
        const Now& waker = m_threads[m_cpu->thread];
        if (thread.call == "nanosleep" || thread.call == "clock_nanosleep")
            wait.kind = PathKind::Timer;
        else if (!m_cpu->contexts.empty())
            wait.kind = m_cpu->contexts.back().kind;
        else if (m_cpu->thread > 0 && (waker.isKernel || !waker.isUser)) {
            wait.waker = m_cpu->thread;
            wait.kind = kindOfCall(thread.call);
        }
        if (m_cpu->contexts.empty() || m_cpu->contexts.back().what == "softirq")
            wait.packet = m_cpu->packet;
        return wait;
    }

    /// Returns the cause of a wait that a thread ended, from the system call `call` in which the waiting thread was. The cause is used only
    /// for the part of the wait before the waking thread began.
    static PathKind kindOfCall(const std::string& call)
    {
        static const std::set<std::string> OfProcesses{"wait4", "waitid", "vfork", "pause", "rt_sigtimedwait", "rt_sigsuspend"};
        static const std::set<std::string> OfPipes{"read",       "write",       "readv",   "writev",   "poll",    "ppoll",
                                                   "select",     "pselect6",    "recvmsg", "recvfrom", "sendmsg", "sendto",
                                                   "epoll_wait", "epoll_pwait", "accept",  "accept4",  "connect"};
        return OfProcesses.contains(call) ? PathKind::Process
            : OfPipes.contains(call)      ? PathKind::Pipe
            : call.starts_with("futex")   ? PathKind::Lock
                                          : PathKind::Blocked;
    }

    void readFork()
    {
        const std::int64_t child = number("child_tid"), parent = number("parent_tid");
        all[child] = {};
        begin(child, {m_now, Doing::Queued});
        Now& born = m_threads[child] = {};
        born.call = m_threads[parent].call;
        born.isUser = m_threads[parent].isUser;
        born.isKernel = parent == 2;
    }

    void readDump()
    {
        const std::int64_t tid = number("tid"), status = number("status");
        m_threads[tid].isKernel = number("type") == 1;
        auto& parts = all[tid].parts;
        if (parts.empty() && (status == 2 || status == 5))
            parts.push_back({BeforeTrace, status == 2 ? Doing::Queued : Doing::Waiting});
    }

    void readCall(std::string call, bool isUser)
    {
        if (call == "unknown") // The tracer's tables do not know this machine's system calls.
            call = number("id") == 58 ? "vfork" : number("id") == 15 ? "rt_sigreturn" : call;
        Now& thread = m_threads[m_cpu->thread];
        thread.isUser = isUser || call == "rt_sigreturn"; // rt_sigreturn has no return event.
        thread.call = thread.isUser ? std::string() : call;
    }

    void readContext(const std::string& name)
    {
        if (name == "irq_handler_entry")
            m_cpu->contexts.push_back({"irq", isDisk(string("name")) ? PathKind::Disk : PathKind::Blocked});
        else if (name == "irq_softirq_entry")
            m_cpu->contexts.push_back({"softirq", kindOfSoftirq(number("vec"))});
        else if (name == "timer_hrtimer_expire_entry" || name == "timer_expire_entry")
            m_cpu->contexts.push_back({"timer", PathKind::Timer});
        else if (name.starts_with("x86_irq_vectors_") && name.ends_with("_entry"))
            m_cpu->contexts.push_back({"vector", name.find("local_timer") != name.npos ? PathKind::Timer : PathKind::Ipi});
        else if (name == "irq_handler_exit")
            close("irq");
        else if (name == "irq_softirq_exit")
            close("softirq");
        else if (name == "timer_hrtimer_expire_exit" || name == "timer_expire_exit")
            close("timer");
        else if (name.starts_with("x86_irq_vectors_") && name.ends_with("_exit"))
            close("vector");
    }

    void close(const std::string& what)
    {
        if (!m_cpu->contexts.empty() && m_cpu->contexts.back().what == what)
            m_cpu->contexts.pop_back();
        if (what == "softirq")
            m_cpu->packet = {};
    }

    static bool isDisk(const std::string& irq)
    {
        return irq.find("-req.") != std::string::npos || irq.find("ata") != std::string::npos || irq.find("nvme") != std::string::npos;
    }

    static PathKind kindOfSoftirq(std::int64_t vector)
    {
        switch (vector) {
        case 1:
        case 8: return PathKind::Timer;
        case 2:
        case 3: return PathKind::Network;
        case 4:
        case 5: return PathKind::Disk;
        default: return PathKind::Blocked;
        }
    }

    void begin(std::int64_t tid, DerivedActivity part) { all[tid].parts.push_back(part); }

    ClockTransform m_clock;
    BabeltraceOracle* m_oracle = nullptr;
    std::string m_text;
    std::int64_t m_now = 0;
    Cpu* m_cpu = nullptr;
    std::map<std::int64_t, Cpu> m_cpus;
    std::map<std::int64_t, Now> m_threads;
    bool m_hasWaking = false;
};

} // namespace helio::test
