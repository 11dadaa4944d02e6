#pragma once

#include "core/store/intervals/block_writer.h"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

namespace helio {

/// Hands blocks to the BlockWriter in order: at once, or through a thread of its own, which encodes and writes while the caller goes on.
///
/// Threads: one caller. Errors: out of memory in the writer's thread is thrown by the next call; write errors show in the writer's files.
/// Cost: at most 256 blocks wait (4 MB); a caller that adds more waits. Destruction drops what waits.
class BlockQueue {
public:
    /// The writer outlives it. After `stop` nothing more is taken.
    BlockQueue(BlockWriter& writer, bool hasThread, std::stop_token stop);
    ~BlockQueue();
    BlockQueue(const BlockQueue&) = delete;
    BlockQueue& operator=(const BlockQueue&) = delete;

    void addBlock(std::uint32_t track, std::span<const Boundary> items);
    void addLinks(std::span<const Link> links);
    /// The writer has everything, and is the caller's until more is added.
    void drain();

private:
    struct Piece {
        std::uint32_t track = 0;
        std::vector<Boundary> items; ///< Empty: links.
        std::vector<Link> links;
    };

    /// Fills the next free place by `fill(piece)`.
    template <typename Fill> void add(Fill fill);
    void run(const std::stop_token& stop);
    void write(const Piece& piece);

    BlockWriter& m_writer;
    const std::stop_token m_stop;
    std::array<Piece, 256> m_ring;
    std::mutex m_mutex; ///< Guards what follows.
    std::condition_variable_any m_changed;
    std::size_t m_first = 0; ///< In the ring: the next to be written.
    std::size_t m_count = 0; ///< Those from m_first on, up to where the caller fills.
    bool m_isDraining = false;
    std::exception_ptr m_failure;
    std::jthread m_thread; ///< Last: ends before the rest goes. None: all is written at once.
};

} // namespace helio
