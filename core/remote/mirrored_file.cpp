#include "core/remote/mirrored_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <xxhash.h>

namespace helio {
namespace {

/// Header of the file with the hashes. A hash for each piece follows, in the byte order of this machine: a 32-bit number, which is 0 if the
/// piece is absent.
struct HashesHeader {
    std::array<char, 8> magic{'H', 'E', 'L', 'I', 'O', 'P', 'C', '1'};
    std::uint64_t size = 0; ///< Size of the mirrored file in bytes.
    bool operator==(const HashesHeader&) const = default;
};

/// Returns the hash of a piece; never 0.
std::uint32_t hashOf(std::span<const std::byte> bytes)
{
    return std::max<std::uint32_t>(static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size())), 1);
}

bool writeAll(int descriptor, std::span<const std::byte> bytes, std::uint64_t offset)
{
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
    return true;
}

bool readAll(int descriptor, std::span<std::byte> bytes, std::uint64_t offset)
{
    while (!bytes.empty()) {
        const ssize_t got = ::pread(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(got));
        offset += static_cast<std::uint64_t>(got);
    }
    return true;
}

std::size_t pieceOf(std::uint64_t offset) { return static_cast<std::size_t>(offset / PieceBytes); }

} // namespace

Result<std::shared_ptr<MirroredFile>> MirroredFile::open(const std::filesystem::path& path, std::uint64_t size, Fetcher& fetcher)
{
    const auto failed = [&] { return Error{Error::Kind::Unreadable, "cannot write " + path.string() + ": " + std::strerror(errno)}; };
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return failed();
    std::shared_ptr<MirroredFile> file(new MirroredFile(path, size, descriptor, fetcher));
    struct stat facts = {};
    if (::fstat(descriptor, &facts) != 0)
        return failed();
    if (static_cast<std::uint64_t>(facts.st_size) == size)
        file->readKept();
    else if (::ftruncate(descriptor, 0) != 0 || ::ftruncate(descriptor, static_cast<off_t>(size)) != 0)
        return failed();
    return file;
}

MirroredFile::MirroredFile(std::filesystem::path path, std::uint64_t size, int descriptor, Fetcher& fetcher)
    : m_path(std::move(path))
    , m_size(size)
    , m_descriptor(descriptor)
    , m_fetcher(fetcher)
    , m_pieces(static_cast<std::size_t>((size + PieceBytes - 1) / PieceBytes))
{
}

MirroredFile::~MirroredFile() { ::close(m_descriptor); }

std::uint64_t MirroredFile::pieceSize(std::size_t piece) const { return std::min(PieceBytes, m_size - piece * PieceBytes); }

void MirroredFile::readKept()
{
    std::ifstream in(hashesPath(), std::ios::binary);
    HashesHeader header;
    std::vector<std::uint32_t> hashes(m_pieces.size());
    if (!in.read(reinterpret_cast<char*>(&header), sizeof header) || header != HashesHeader{.size = m_size}
        || !in.read(reinterpret_cast<char*>(hashes.data()), static_cast<std::streamsize>(hashes.size() * sizeof hashes[0])))
        return;
    for (std::size_t i = 0; i < hashes.size(); ++i)
        if (hashes[i] != 0) {
            m_pieces[i].hash = hashes[i];
            m_pieces[i].state = State::Kept;
        }
}

bool MirroredFile::hasPiece(std::size_t piece)
{
    Piece& it = m_pieces[piece];
    State state = it.state.load(std::memory_order_acquire);
    if (state != State::Kept)
        return state == State::Here;
    std::vector<std::byte> bytes(static_cast<std::size_t>(pieceSize(piece)));
    const bool isGood = readAll(m_descriptor, bytes, piece * PieceBytes) && hashOf(bytes) == it.hash;
    // Another thread may have checked the piece, or even fetched it, in the meantime; its result counts.
    it.state.compare_exchange_strong(state, isGood ? State::Here : State::Absent, std::memory_order_acq_rel);
    return it.state.load(std::memory_order_acquire) == State::Here;
}

Status MirroredFile::put(std::size_t piece, std::span<const std::byte> bytes)
{
    if (piece >= m_pieces.size() || bytes.size() != pieceSize(piece))
        return Error{Error::Kind::Corrupt, "the other machine sent a piece of the wrong size for " + m_path.filename().string()};
    if (!writeAll(m_descriptor, bytes, piece * PieceBytes))
        return Error{Error::Kind::Unreadable, "cannot write " + m_path.string() + ": " + std::strerror(errno)};
    m_pieces[piece].hash = hashOf(bytes);
    m_pieces[piece].state.store(State::Here, std::memory_order_release);
    m_hasChanged = true;
    return Done{};
}

void MirroredFile::save()
{
    if (!m_hasChanged.exchange(false))
        return;
    const std::filesystem::path written = hashesPath().string() + ".new";
    std::error_code error;
    {
        std::ofstream out(written, std::ios::binary | std::ios::trunc);
        const HashesHeader header{.size = m_size};
        out.write(reinterpret_cast<const char*>(&header), sizeof header);
        for (const Piece& piece : m_pieces) {
            const std::uint32_t hash = piece.state == State::Absent ? 0 : piece.hash.load();
            out.write(reinterpret_cast<const char*>(&hash), sizeof hash);
        }
        if (!out.flush()) {
            std::filesystem::remove(written, error);
            return;
        }
    }
    std::filesystem::rename(written, hashesPath(), error);
}

bool MirroredFile::has(std::uint64_t offset, std::uint64_t size)
{
    bool hasAll = true; // All pieces are checked, so that a wait, which holds a lock, reads no disk.
    for (std::size_t i = pieceOf(offset); size > 0 && i <= pieceOf(offset + size - 1); ++i)
        hasAll &= hasPiece(i);
    return hasAll;
}

void MirroredFile::request(std::uint64_t offset, std::uint64_t size)
{
    m_fetcher.fetch(*this, pieceOf(offset), pieceOf(offset + size - 1));
}

bool MirroredFile::wait(std::uint64_t offset, std::uint64_t size, const std::stop_token& stop)
{
    return m_fetcher.waitFor(*this, pieceOf(offset), pieceOf(offset + size - 1), stop);
}

} // namespace helio
