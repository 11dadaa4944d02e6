#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// How long one thing lasted each time, as the kernel keeps it: hundredths of a µs, so all are whole multiples of 10 ns.
struct LockStatTimes {
    Duration least{};
    Duration most{};
    Duration total{};
    std::optional<Duration> mean; ///< As the file says it; files of version 0.3 do not.
    bool operator==(const LockStatTimes&) const = default;
};

/// A class of locks: all that were initialised at one place. Of locks that readers share there are two, which end in "-W" and "-R".
struct LockStatClass {
    std::string name; ///< As the kernel shortens it: some 40 bytes.
    std::int64_t waitBounces = 0; ///< Of the contentions those by another CPU than the lock's last.
    std::int64_t contentions = 0; ///< How often somebody had to wait.
    LockStatTimes waits;
    std::int64_t bounces = 0; ///< Of the acquisitions the same.
    std::int64_t acquisitions = 0;
    LockStatTimes holds;
    bool operator==(const LockStatClass&) const = default;
};

/// A place in the kernel where locks of a class were waited for, or where they had been taken meanwhile. The kernel keeps four of each.
struct LockStatPoint {
    std::string name; ///< Of the class, without "-W" and "-R".
    bool holds = false; ///< It is where whoever had it took it.
    std::int64_t contentions = 0;
    std::string address; ///< "0xffffffff811502a7", or what the kernel prints in its stead.
    std::string symbol; ///< "khugepaged_scan_mm_slot+0x57/0x280"
    std::size_t after = 0; ///< So many classes stand before it in the file; it is of the last one or two of them.
    bool operator==(const LockStatPoint&) const = default;
};

/// What a line has that cannot be read. Reading went on with the next one.
struct LockStatProblem {
    std::size_t line = 0; ///< From 1.
    std::string what;
    bool operator==(const LockStatProblem&) const = default;
};

/// The text of /proc/lock_stat (kernels with CONFIG_LOCK_STAT; Documentation/locking/lockstat.rst), in the order of the file: what was most
/// contended first.
struct LockStat {
    std::string version; ///< "0.4"
    std::vector<LockStatClass> classes;
    std::vector<LockStatPoint> points;
    std::vector<LockStatProblem> problems; ///< At most MostProblems.

    static constexpr std::size_t MostProblems = 100;
    static constexpr std::size_t MostClasses = 1 << 16; ///< A kernel has 8,192 at most. What is beyond is not read.
    static constexpr std::size_t MostPoints = MostClasses * 4;
};

/// What the classes of readers and writers of the same locks are both called: without "-W" and "-R" at its end.
std::string_view lockNameOf(std::string_view className);

/// The mean as the file says it, else what total and count add up to. Nothing: it never happened.
std::optional<Duration> meanOf(const LockStatTimes& times, std::int64_t count);

/// Whether a place is one of a class. Those of locks that readers share are of both their classes. Requires: there is such a class.
bool isOf(const LockStatPoint& point, const LockStat& stat, std::size_t classPlace);

/// What classes add up to. INT64_MAX where it is more.
struct LockStatSum {
    std::int64_t contentions = 0;
    Duration waited{};
    std::int64_t acquisitions = 0;
    Duration held{};
    bool operator==(const LockStatSum&) const = default;
};
LockStatSum sumOf(std::span<const LockStatClass* const> classes);

/// Whether a text begins as such a file does.
bool isLockStat(std::string_view text);

/// Errors: it is none, or has no line that says what its columns are.
Result<LockStat> parseLockStat(std::string_view text);

/// Reads a file, or /proc/lock_stat itself, whose size nobody knows. Errors: it cannot be read, is larger than 256 MiB, or is none.
Result<LockStat> readLockStat(const std::filesystem::path& path);

} // namespace helio
