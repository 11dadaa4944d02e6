#pragma once

// LockScript: a trace of lock events that a test writes one by one.

#include "core/analysis/analyses.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/core/analyses/locks/lock_lines.h"

#include <cstdint>
#include <optional>
#include <string>

namespace helio::test {

/// Flags in the events of kernel locks (lock_contention_begin).
enum LockFlags { Spin = 1, Read = 2, Mutex = 32 };

/// Writes the lock events of perf and the mutex events of LTTng-UST. Each event names its thread.
class LockScript : public KernelScript {
public:
    LockScript& begin(std::int64_t at, int tid, std::uint64_t lock, int flags = Mutex, int cpu = 0)
    {
        event(at, cpu, "lock:contention_begin", {{"$tid", tid}, {"lock_addr", std::int64_t(lock)}, {"flags", flags}});
        return *this;
    }
    LockScript& end(std::int64_t at, int tid, std::uint64_t lock, int ret = 0, int cpu = 0)
    {
        event(at, cpu, "lock:contention_end", {{"$tid", tid}, {"lock_addr", std::int64_t(lock)}, {"ret", ret}});
        return *this;
    }
    LockScript& request(std::int64_t at, int tid, std::uint64_t mutex, int pid = 100) { return ust("lock_req", at, tid, pid, mutex); }
    LockScript& acquire(std::int64_t at, int tid, std::uint64_t mutex, int status = 0, int pid = 100)
    {
        return ust("lock_acq", at, tid, pid, mutex, status);
    }
    LockScript& tryIt(std::int64_t at, int tid, std::uint64_t mutex, int status = 0, int pid = 100)
    {
        return ust("trylock", at, tid, pid, mutex, status);
    }
    LockScript& unlock(std::int64_t at, int tid, std::uint64_t mutex, int status = 0, int pid = 100)
    {
        return ust("unlock", at, tid, pid, mutex, status);
    }

    void runLocks(std::int64_t end) { run(end, Gaps::ReportedAtBegin, analysisOf("locks")); }

    QString segments() const { return segmentLines(*this); }
    QString rows() const { return rowLines(*this); }

private:
    LockScript& ust(const std::string& name, std::int64_t at, int tid, int pid, std::uint64_t mutex, std::optional<int> status = {})
    {
        Fields fields{{"$vpid", pid}, {"$vtid", tid}, {"$procname", ("t" + std::to_string(tid)).c_str()}, {"mutex", std::int64_t(mutex)}};
        if (status)
            fields.push_back({"status", *status});
        event(at, 0, "lttng_ust_pthread:pthread_mutex_" + name, fields);
        return *this;
    }
};

} // namespace helio::test
