#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace helio {

/// Compresses bytes to a zstd frame (RFC 8878) with a checksum, so that damage is found. Equal bytes give equal files.
///
/// Threads: to be used by one thread at a time.
/// Memory: a few MiB.
class ZstdWriter {
public:
    using Sink = std::function<void(std::string_view)>;

    explicit ZstdWriter(Sink sink);
    ~ZstdWriter();
    ZstdWriter(const ZstdWriter&) = delete;
    ZstdWriter& operator=(const ZstdWriter&) = delete;

    void write(std::string_view bytes);
    void finish(); ///< Writes the end of the frame. Requires: nothing is written afterwards.

private:
    struct Stream;
    void run(std::string_view bytes, bool isEnd);

    Sink m_sink;
    std::unique_ptr<Stream> m_stream;
};

} // namespace helio
