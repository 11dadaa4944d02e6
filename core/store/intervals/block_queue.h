#pragma once

#include "core/store/intervals/block_batch.h"
#include "core/store/intervals/block_writer.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

namespace helio {

/// Hands blocks to the BlockWriter in the order in which they were added, so that the files are the same for any number of threads.
/// Without threads each goes at once. Else they go in batches: a thread that is free
/// encodes the next one once enough of them wait, and one that finds the first
/// of them encoded, and nobody writing, writes it. A caller that adds faster than the threads encode does the same until there is room.
///
/// Threads: one caller. Errors: out of memory in a thread is thrown by the next call; write errors show in the writer's files.
/// Cost: at most 32 + 4 x threads batches wait, of 64 KB each, and while they are encoded what comes of them, at most as much again for
/// blocks of more than a few items; a caller without room
/// that can help with nothing waits. Destruction drops what waits.
class BlockQueue {
public:
    /// The writer outlives it. At most 8 threads, and no more than the system gives. After `stop` nothing more is taken.
    BlockQueue(BlockWriter& writer, std::size_t threads, std::stop_token stop);
    ~BlockQueue();
    BlockQueue(const BlockQueue&) = delete;
    BlockQueue& operator=(const BlockQueue&) = delete;

    void addBlock(std::uint32_t track, std::span<const Boundary> items);
    /// The same of blocks that lie in `room`, which is the queue's from then on. Requires: threads; room for MostBoundaries.
    void addBlocks(std::uint32_t track, std::span<const std::span<const Boundary>> blocks, std::unique_ptr<Boundary[]> room);
    /// Such room. Requires: threads.
    std::unique_ptr<Boundary[]> takeRoom() { return m_filling->takeRoom(); }
    bool hasThreads() const { return !m_threads.empty(); }
    void addLinks(std::span<const Link> links);
    /// The writer has everything, and is the caller's until more is added.
    void drain();

private:
    using Lock = std::unique_lock<std::mutex>;
    struct Waiting {
        std::unique_ptr<BlockBatch> batch;
        bool isEncoded = false;
    };

    void startThread();
    void handOver();
    std::unique_ptr<BlockBatch> takeFree();
    void run(const std::stop_token& stop, BlockEncoders& encoders);
    bool hasRoom() const { return m_waiting.size() < m_most; }
    bool canWrite() const { return !m_isWriting && !m_waiting.empty() && m_waiting.front().isEncoded; }
    bool canWork() const { return !m_failure && (canWrite() || m_taken < m_waiting.size()); }
    bool isWorthWaking() const;
    void work(Lock& lock, BlockEncoders& encoders);
    void encodeNext(Lock& lock, BlockEncoders& encoders);
    void writeFirst(Lock& lock);
    template <typename Task> bool unlocked(Lock& lock, Task task);
    void throwFailure() const;

    BlockWriter& m_writer; ///< Whoever is writing, or has drained, may touch it.
    const std::stop_token m_stop;
    std::unique_ptr<BlockBatch> m_filling; ///< The caller's, as the next.
    BlockEncoders m_encoders;
    std::mutex m_mutex; ///< Guards what follows.
    std::condition_variable_any m_hasWork; ///< For the threads.
    std::condition_variable_any m_hasProgress; ///< For the caller.
    std::deque<Waiting> m_waiting; ///< In order.
    std::size_t m_taken = 0; ///< So many of them, from the first on, are being encoded or are encoded.
    std::vector<std::unique_ptr<BlockBatch>> m_free; ///< The last is in the caches still: it is used next.
    std::size_t m_most = 0;
    bool m_isWriting = false;
    std::exception_ptr m_failure;
    std::vector<std::jthread> m_threads; ///< Last: they end before the rest goes. None: all is written at once.
};

} // namespace helio
