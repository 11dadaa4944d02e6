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

/// Passes blocks to a BlockWriter in the order in which they were added, so that the files are the same for any number of threads. Without
/// threads, each block is encoded and written at once. With threads, blocks are collected in batches. A free thread encodes the next batch
/// once enough batches wait. A thread that finds the first batch encoded, while no other thread writes, writes it. If the caller adds
/// blocks faster than the threads encode them, it does the same work until there is room, or waits if there is nothing that it can do.
///
/// Threads: one caller.
/// Errors: out of memory in a thread is thrown by the next call; write errors are reported by the writer's files.
/// Cost: memory for at most 32 + 4 x threads waiting batches of 64 KB, plus their encoded blocks, which take at most as much again if
/// blocks have more than a few items. Ownership: the writer must outlive the queue; the destructor drops waiting batches.
class BlockQueue {
public:
    /// Starts at most 8 threads, and no more than the system grants. After `stop`, added blocks are dropped.
    BlockQueue(BlockWriter& writer, std::size_t threads, std::stop_token stop);
    ~BlockQueue();
    BlockQueue(const BlockQueue&) = delete;
    BlockQueue& operator=(const BlockQueue&) = delete;

    void addBlock(std::uint32_t track, std::span<const Boundary> items);
    /// Adds blocks that lie in the buffer `room`, without copying them. Ownership: the queue takes over `room`. Requires: hasThreads(), and
    /// `room` has the size of takeBuffer().
    void addBlocks(std::uint32_t track, std::span<const std::span<const Boundary>> blocks, std::unique_ptr<Boundary[]> room);
    /// Returns a buffer for MostBoundaries boundaries, to be passed to addBlocks(). Requires: hasThreads().
    std::unique_ptr<Boundary[]> takeBuffer() { return m_filling->takeBuffer(); }
    bool hasThreads() const { return !m_threads.empty(); }
    void addLinks(std::span<const Link> links);
    /// Waits until everything is passed to the writer. The caller may then use the writer until it adds more.
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

    /// Used only by the thread that has set m_isWriting, or by the caller after drain().
    BlockWriter& m_writer;
    const std::stop_token m_stop;
    std::unique_ptr<BlockBatch> m_filling; ///< Used only by the caller, like m_encoders.
    BlockEncoders m_encoders;
    std::mutex m_mutex; ///< Guards all members below it.
    std::condition_variable_any m_hasWork; ///< Wakes the threads.
    std::condition_variable_any m_hasProgress; ///< Wakes the caller.
    std::deque<Waiting> m_waiting; ///< Batches in the order in which they were filled.
    std::size_t m_taken = 0; ///< Number of batches at the front of m_waiting that are being encoded or are encoded.
    /// Free batches. The last one is reused first, because it is still in the caches.
    std::vector<std::unique_ptr<BlockBatch>> m_free;
    std::size_t m_most = 0;
    bool m_isWriting = false;
    std::exception_ptr m_failure;
    /// Declared last: the threads must end before the other members are destroyed. Empty if blocks are written at once.
    std::vector<std::jthread> m_threads;
};

} // namespace helio
