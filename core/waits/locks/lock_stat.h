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

/// Statistics of a duration. All values are multiples of 10 ns, because the kernel records hundredths of a µs.
struct LockStatTimes {
    Duration least{};
    Duration most{};
    Duration total{};
    std::optional<Duration> mean; ///< Mean as given in the file; nullopt for files of version 0.3, which have no means.
    bool operator==(const LockStatTimes&) const = default;
};

/// A class of locks: all locks that are initialised at the same place in the code. Locks with readers and writers have two classes, with
/// the suffixes "-W" and "-R".
struct LockStatClass {
    std::string name; ///< Name of the class, which the kernel shortens to about 40 bytes.
    std::int64_t waitBounces = 0; ///< Number of contentions that occurred on another CPU than the CPU that last held the lock.
    std::int64_t contentions = 0; ///< Number of acquisitions that had to wait.
    LockStatTimes waits;
    std::int64_t bounces = 0; ///< Number of acquisitions that occurred on another CPU than the CPU that last held the lock.
    std::int64_t acquisitions = 0;
    LockStatTimes holds;
    bool operator==(const LockStatClass&) const = default;
};

/// A location in the kernel's code, for locks of one class: either threads waited there, or the owners acquired the locks there. The kernel
/// records up to four locations of each kind.
struct LockStatPoint {
    std::string name; ///< Name of the class without "-W" and "-R".
    bool holds = false; ///< True if owners acquired the lock at this location; false if threads waited there.
    std::int64_t contentions = 0;
    std::string address; ///< Address of the location, for example "0xffffffff811502a7", or the text that the kernel prints instead.
    std::string symbol; ///< Symbol of the location, for example "khugepaged_scan_mm_slot+0x57/0x280".
    /// Number of lock classes before the point's line in the file. The point belongs to the last of these classes, or to the last two for a
    /// reader-writer lock.
    std::size_t after = 0;
    bool operator==(const LockStatPoint&) const = default;
};

/// A line that could not be parsed; parsing continues with the next line.
struct LockStatProblem {
    std::size_t line = 0; ///< Line number, from 1.
    std::string what;
    bool operator==(const LockStatProblem&) const = default;
};

/// The content of /proc/lock_stat (kernels with CONFIG_LOCK_STAT; Documentation/locking/lockstat.rst), in the order of the file: the most
/// contended class first.
struct LockStat {
    std::string version; ///< Version in the file's first line, for example "0.4".
    std::vector<LockStatClass> classes;
    std::vector<LockStatPoint> points;
    std::vector<LockStatProblem> problems; ///< Lines that could not be parsed, at most MostProblems.

    static constexpr std::size_t MostProblems = 100;
    static constexpr std::size_t MostClasses = 1 << 16; ///< Maximum number of classes to read; a kernel has at most 8,192.
    static constexpr std::size_t MostPoints = MostClasses * 4;
};

/// Returns the class name without "-W" or "-R": the common name of the classes of readers and writers.
std::string_view lockNameOf(std::string_view className);

/// Returns the mean given in the file, else the total divided by `count`; nullopt if `count` is 0.
std::optional<Duration> meanOf(const LockStatTimes& times, std::int64_t count);

/// True if a point belongs to the class with index `classPlace`. A point of a reader-writer lock belongs to both classes of the lock.
/// Requires: the class exists.
bool isOf(const LockStatPoint& point, const LockStat& stat, std::size_t classPlace);

/// Sums over several classes; INT64_MAX on overflow.
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
/// Errors: Unsupported if the text is not a lock_stat file; Corrupt if no line names the columns.
Result<LockStat> parseLockStat(std::string_view text);

/// Reads a file or /proc/lock_stat itself, which has no known size.
/// Errors: the file cannot be read, is larger than 256 MiB, or is not a lock_stat file.
Result<LockStat> readLockStat(const std::filesystem::path& path);

/// Returns the row of the lock class `className` of /proc/lock_stat: the first row with a label that begins with this word. The suffix "-W"
/// or "-R" of reader-writer locks is ignored. Not valid if no row matches. If a recording has only addresses of locks, a class has a row
/// only if the file also names the class by address.
/// Cost: that of rows().
TrackRef findLockRow(const Timeline& timeline, std::string_view className);

} // namespace helio
