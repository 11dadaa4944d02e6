#pragma once

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

struct Timeline;

/// Statistics of a duration, as the kernel keeps it in hundredths of a µs: all values are multiples of 10 ns.
struct LockStatTimes {
    Duration least{};
    Duration most{};
    Duration total{};
    std::optional<Duration> mean; ///< Mean in the file; nullopt in files of version 0.3.
    bool operator==(const LockStatTimes&) const = default;
};

/// A class of locks: all locks that are initialised at the same place in the code. Locks with readers and writers have two classes, with
/// the suffixes "-W" and "-R".
struct LockStatClass {
    std::string name; ///< Shortened by the kernel to about 40 bytes.
    std::int64_t waitBounces = 0; ///< Count of contentions on another CPU than the one that last had the lock.
    std::int64_t contentions = 0; ///< Count of acquisitions that had to wait.
    LockStatTimes waits;
    std::int64_t bounces = 0; ///< Count of acquisitions on another CPU than the one that last had the lock.
    std::int64_t acquisitions = 0;
    LockStatTimes holds;
    bool operator==(const LockStatClass&) const = default;
};

/// A place in the kernel's code where threads waited for locks of a class, or where owners had taken these locks. The kernel keeps four of
/// each kind.
struct LockStatPoint {
    std::string name; ///< Name of the class without "-W" and "-R".
    bool holds = false; ///< True if it is the place where the owner took the lock; false if threads waited there.
    std::int64_t contentions = 0;
    std::string address; ///< For example "0xffffffff811502a7", or the text that the kernel prints instead.
    std::string symbol; ///< For example "khugepaged_scan_mm_slot+0x57/0x280".
    std::size_t after = 0; ///< Count of classes before this line in the file. The point belongs to the last one or two of them.
    bool operator==(const LockStatPoint&) const = default;
};

/// A line that could not be parsed. Parsing continues with the line after it.
struct LockStatProblem {
    std::size_t line = 0; ///< Number of the line, from 1.
    std::string what;
    bool operator==(const LockStatProblem&) const = default;
};

/// The content of /proc/lock_stat (kernels with CONFIG_LOCK_STAT; Documentation/locking/lockstat.rst), in the order of the file: the most
/// contended class first.
struct LockStat {
    std::string version; ///< For example "0.4".
    std::vector<LockStatClass> classes;
    std::vector<LockStatPoint> points;
    std::vector<LockStatProblem> problems; ///< At most MostProblems.

    static constexpr std::size_t MostProblems = 100;
    static constexpr std::size_t MostClasses = 1 << 16; ///< Limit, beyond which classes are not read; a kernel has at most 8,192.
    static constexpr std::size_t MostPoints = MostClasses * 4;
};

/// Returns the class name without "-W" or "-R": the common name of the classes of readers and writers.
std::string_view lockNameOf(std::string_view className);

/// Returns the mean in the file, else total by count; nullopt if the count is 0.
std::optional<Duration> meanOf(const LockStatTimes& times, std::int64_t count);

/// True if a point belongs to the class with index `classPlace`. Points of locks with readers and writers belong to both classes. Requires:
/// the class exists.
bool isOf(const LockStatPoint& point, const LockStat& stat, std::size_t classPlace);

/// Sums of classes; INT64_MAX on overflow.
struct LockStatSum {
    std::int64_t contentions = 0;
    Duration waited{};
    std::int64_t acquisitions = 0;
    Duration held{};
    bool operator==(const LockStatSum&) const = default;
};
LockStatSum sumOf(std::span<const LockStatClass* const> classes);

/// True if a text begins like a lock_stat file.
bool isLockStat(std::string_view text);

/// Parses the text of a lock_stat file.
/// Errors: Unsupported if it is no lock_stat file; Corrupt if no line names the columns.
Result<LockStat> parseLockStat(std::string_view text);

/// Reads a file or /proc/lock_stat itself, which has no known size.
/// Errors: it cannot be read, is larger than 256 MiB, or is no lock_stat file.
Result<LockStat> readLockStat(const std::filesystem::path& path);

/// Returns the row of the kernel's locks of one class in /proc/lock_stat: the first row whose first word is `className` without the suffix
/// "-W" or "-R" of locks with readers and writers. Not valid if there is none. In recordings that know locks only by their addresses, there
/// is a row only for a class that the text names by an address, too.
/// Cost: one rows().
TrackRef findLockRow(const Timeline& timeline, std::string_view className);

} // namespace helio
