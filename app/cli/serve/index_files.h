#pragma once

#include "core/base/result.h"
#include "core/experiment/experiment.h"
#include "core/io/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace helio {

class JsonWriter;

/// Files of the index of opened traces, which another Heliograph reads piece by piece (core/remote). They stay as they are, even if the
/// index is built again.
/// Threads: to be used by one thread.
class IndexFiles {
public:
    /// Opens the stores of all traces.
    /// Errors: Unreadable if a store is not on the disk or cannot be read.
    static Result<IndexFiles> open(const Experiment& experiment);

    /// Writes the member "traces": name, size, hash and first ranges of each file.
    void describe(JsonWriter& json) const;

    /// Returns bytes of a file, as base64 of a zstd frame.
    /// Errors: NotFound if there is no such file; Usage if the range is not in the file, or longer than 1 MiB; Unreadable.
    Result<std::string> read(const std::string& name, std::uint64_t offset, std::uint64_t size) const;

private:
    struct IndexFile {
        std::string name;
        std::vector<std::byte> description; ///< Content, if the file is the description of a trace.
        std::shared_ptr<const MappedFile> store; ///< Content, if the file is a store.

        std::span<const std::byte> bytes() const { return store ? store->bytes() : description; }
    };
    struct IndexedTrace {
        std::string name;
        std::vector<std::size_t> files; ///< Indices into m_files.
    };

    std::vector<IndexedTrace> m_traces;
    std::vector<IndexFile> m_files;
    std::map<std::string, std::size_t> m_numbers; ///< Indices into m_files by the name for read().
};

} // namespace helio
