#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace helio {

/// Writes a tar archive (POSIX.1-1988 ustar) of files that belong to root and have no times, so that equal files give equal archives.
/// Threads: to be used by one thread.
class TarWriter {
public:
    using Sink = std::function<void(std::string_view)>;

    explicit TarWriter(Sink sink)
        : m_sink(std::move(sink))
    {
    }

    /// Begins a file of `bytes` bytes, which write() must then pass. Returns false if the name is too long for the format: more than 100
    /// bytes. Requires: the file before is complete.
    bool begin(const std::string& name, std::uint64_t bytes);
    void write(std::string_view bytes);
    void finish(); ///< Writes the end of the archive. Requires: the last file is complete.

private:
    void pad();

    Sink m_sink;
    std::uint64_t m_size = 0; ///< Number of bytes of the current file that were written; 0 once its last block is full.
};

} // namespace helio
