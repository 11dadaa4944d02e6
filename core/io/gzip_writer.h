#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace helio {

/// Compresses bytes to a gzip file (RFC 1952) without a name and a time, so that equal bytes give equal files.
///
/// Threads: to be used by one thread at a time.
/// Memory: 256 KiB.
class GzipWriter {
public:
    using Sink = std::function<void(std::string_view)>;

    explicit GzipWriter(Sink sink);
    ~GzipWriter();
    GzipWriter(const GzipWriter&) = delete;
    GzipWriter& operator=(const GzipWriter&) = delete;

    void write(std::string_view bytes);
    void finish(); ///< Writes the end of the file. Requires: nothing is written afterwards.

private:
    struct Stream;
    void run(std::string_view bytes, int flush);

    Sink m_sink;
    std::unique_ptr<Stream> m_stream;
};

} // namespace helio
