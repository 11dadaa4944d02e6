#pragma once

#include <functional>
#include <memory>
#include <string>
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

/// Compresses bytes to a zstd frame with a checksum, quickly rather than well: for short-lived data, such as messages.
/// Threads: any.
/// Cost: about 2 ns for each byte; each thread that has called it keeps about 1 MiB.
std::string zstdFrame(std::string_view bytes);

} // namespace helio
