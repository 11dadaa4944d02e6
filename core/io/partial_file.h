#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

namespace helio {

/// File of which only some bytes are on this machine. The others are fetched from another machine when they are needed, and are then
/// written to the file; until then, the file has zeros in their place.
///
/// Threads: all methods may be called from any thread at once.
class PartialFile {
public:
    virtual ~PartialFile() = default;

    /// Waits until the bytes are in the file. Returns false if they cannot be fetched, or a stop was requested through `stop` or, if that
    /// is a token without a stop state, through the thread's TaskStop (core/base/task_stop.h). If the thread has DeferredFetches, missing
    /// bytes are requested, and false is returned without waiting.
    /// Cost: a few ns if the bytes are there.
    bool require(std::uint64_t offset, std::uint64_t size, const std::stop_token& stop = {});

    /// Returns the number of times that this process could not get bytes, apart from requested stops. If it grows while something is
    /// computed, the result is incomplete.
    static std::uint64_t missedCount();

protected:
    virtual bool has(std::uint64_t offset, std::uint64_t size) = 0; ///< True if the bytes are in the file.
    virtual void request(std::uint64_t offset, std::uint64_t size) = 0; ///< Begins to fetch missing bytes. Does not wait.
    /// Waits until requested bytes are in the file. Returns false if they cannot be fetched, or a stop was requested.
    virtual bool wait(std::uint64_t offset, std::uint64_t size, const std::stop_token& stop) = 0;

private:
    bool waitAndCount(std::uint64_t offset, std::uint64_t size, const std::stop_token& stop);
};

/// Folder of files that are only partly on this machine.
/// Threads: all methods may be called from any thread at once.
class PartialFolder {
public:
    virtual ~PartialFolder() = default;

    /// Returns the file with this path; nullptr if the folder has none.
    virtual std::shared_ptr<PartialFile> file(const std::filesystem::path& path) const = 0;
    virtual std::string machine() const = 0; ///< Name of the machine that has all bytes, as the user wrote it.
    /// Reason why bytes cannot be fetched now, for example that the connection was lost; empty if they can.
    virtual std::string problem() const = 0;

    /// Makes at() find `folder` at `path` and below, as long as it exists.
    static void announce(const std::filesystem::path& path, std::weak_ptr<const PartialFolder> folder);
    /// Returns the announced folder that contains `path`; nullptr if there is none.
    static std::shared_ptr<const PartialFolder> at(const std::filesystem::path& path);
};

} // namespace helio
