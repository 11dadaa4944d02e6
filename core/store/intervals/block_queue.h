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

/// Passes blocks to a BlockWriter in the order in which they were added, so the files are the same for any number of threads. Without
/// threads, each block is encoded and written at once.
/// With threads, the work is shared as follows:
/// - Blocks are collected in batches. Once enough batches wait, free threads encode them.
/// - If the first batch is encoded and no thread is writing, a free thread writes the batch.
/// - If too many batches wait, the caller also encodes and writes until there is space. The caller only sleeps if there is nothing to
/// encode or write.
/// Threads: one caller.
/// Errors: a thread that runs out of memory makes the next call throw; write errors are reported by the writer's files.
/// Cost: memory for at most 32 + 4 x threads waiting batches of 64 KB, plus their encoded blocks. The encoded blocks need at most the same
/// memory again if blocks have more than a few items.
/// Ownership: the writer must outlive the queue; the destructor discards waiting batches.
class BlockQueue {
public:
    /// Starts up to `threads` threads, at most 8; fewer if the system cannot start more. After `stop` is requested, added blocks are
    /// discarded.
    BlockQueue(BlockWriter& writer, std::size_t threads, std::stop_token stop);
    ~BlockQueue();
    BlockQueue(const BlockQueue&) = delete;
    BlockQueue& operator=(const BlockQueue&) = delete;

    void addBlock(std::uint32_t track, std::span<const Boundary> items);
    /// Adds blocks that are in the buffer `room`, without copying them. Ownership: `room` then belongs to the queue. Requires:
    /// hasThreads(), and `room` has the size of takeBuffer().
    void addBlocks(std::uint32_t track, std::span<const std::span<const Boundary>> blocks, std::unique_ptr<Boundary[]> room);
    /// Returns a buffer for MostBoundaries boundaries, to be passed to addBlocks(). Requires: hasThreads().
    std::unique_ptr<Boundary[]> takeBuffer() { return m_filling->takeBuffer(); }
    bool hasThreads() const { return !m_threads.empty(); }
    void addLinks(std::span<const Link> links);
    /// Waits until all blocks have been passed to the writer. The caller may then use the writer until blocks are added again.
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

    /// Writer of the blocks. Used only by the thread that has set m_isWriting, or by the caller after drain().
    BlockWriter& m_writer;
    const std::stop_token m_stop;
    /// Batch that is being filled. Only the thread that adds blocks uses m_filling and m_encoders, so they need no lock.
    std::unique_ptr<BlockBatch> m_filling;
    BlockEncoders m_encoders;
    std::mutex m_mutex; ///< Guards all members below it.
    std::condition_variable_any m_hasWork; ///< Wakes the encoding threads.
    std::condition_variable_any m_hasProgress; ///< Wakes the caller that waits for space or for the end of all work.
    std::deque<Waiting> m_waiting; ///< Batches in the order in which they were filled.
    std::size_t m_taken = 0; ///< Number of batches at the front of m_waiting for which encoding has begun or is complete.
    /// Free batches, used as a stack: the last one is reused first, because its memory is still in the caches.
    std::vector<std::unique_ptr<BlockBatch>> m_free;
    std::size_t m_most = 0;
    bool m_isWriting = false;
    std::exception_ptr m_failure;
    /// Encoding threads; empty if blocks are written at once. Declared last, because they must end before the other members are destroyed.
    std::vector<std::jthread> m_threads;
};

} // namespace helio
