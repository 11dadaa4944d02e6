#pragma once

#include "core/base/result.h"
#include "core/io/partial_file.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace helio {

constexpr std::uint64_t PieceBytes = std::uint64_t{1} << 16; ///< Number of bytes that are fetched together.

/// Local copy of a file on another machine, which is filled piece by piece. A piece is PieceBytes long, the last one may be shorter. What
/// was fetched is kept for later openings, with its hashes in a file beside the copy (NAME.pieces).
///
/// Threads: all methods may be called from any thread at once, apart from save(), which one thread at a time may call.
class MirroredFile final : public PartialFile {
public:
    /// Fetches pieces for mirrored files.
    class Fetcher {
    public:
        virtual ~Fetcher() = default;
        /// Begins to fetch the pieces `first` to `last` of a file, unless they are there or already requested. Does not wait.
        virtual void fetch(MirroredFile& file, std::size_t first, std::size_t last) = 0;
        /// Waits until the pieces are there. Returns false if they cannot be fetched, or a stop was requested.
        virtual bool waitFor(MirroredFile& file, std::size_t first, std::size_t last, const std::stop_token& stop) = 0;
    };

    /// Opens the copy at `path`, or creates it. `size`: size of the file on the other machine in bytes.
    /// Ownership: `fetcher` must outlive all calls of require().
    /// Errors: Unreadable if the copy cannot be written.
    static Result<std::shared_ptr<MirroredFile>> open(const std::filesystem::path& path, std::uint64_t size, Fetcher& fetcher);
    ~MirroredFile() override;
    MirroredFile(const MirroredFile&) = delete;
    MirroredFile& operator=(const MirroredFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::uint64_t size() const { return m_size; }
    std::size_t pieceCount() const { return m_pieces.size(); }
    std::uint64_t pieceSize(std::size_t piece) const; ///< Size of a piece in bytes.

    /// True if the piece is there, or was kept and is not yet checked.
    bool mayHavePiece(std::size_t piece) const { return m_pieces[piece].state.load(std::memory_order_acquire) != State::Absent; }
    bool hasPiece(std::size_t piece); ///< True if the piece is there. Checks the hash of a piece that was kept.
    /// Writes a piece. Errors: Corrupt if it has another size than pieceSize(); Unreadable if it cannot be written, e.g. because the disk
    /// is full.
    Status put(std::size_t piece, std::span<const std::byte> bytes);

    /// Writes the hashes of the pieces, so that the next open() keeps them. Without it, they are fetched again.
    void save();

private:
    enum class State : std::uint8_t {
        Absent,
        Kept, ///< The piece was there when the file was opened; its hash was not checked yet.
        Here,
    };
    struct Piece {
        std::atomic<State> state = State::Absent;
        std::atomic<std::uint32_t> hash = 0; ///< Lower half of the XXH3-64 hash, if the piece is not absent.
    };

    MirroredFile(std::filesystem::path path, std::uint64_t size, int descriptor, Fetcher& fetcher);
    void readKept();
    std::filesystem::path hashesPath() const { return m_path.string() + ".pieces"; }

    bool has(std::uint64_t offset, std::uint64_t size) override;
    void request(std::uint64_t offset, std::uint64_t size) override;
    bool wait(std::uint64_t offset, std::uint64_t size, const std::stop_token& stop) override;

    std::filesystem::path m_path;
    std::uint64_t m_size;
    int m_descriptor;
    Fetcher& m_fetcher;
    std::vector<Piece> m_pieces;
    std::atomic<bool> m_hasChanged = false; ///< True if pieces came that save() has not written.
};

} // namespace helio
