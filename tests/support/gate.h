#pragma once

// A gate blocks a thread until the test opens it. It simulates, for example, a read that takes as long as the test wants.

#include <condition_variable>
#include <mutex>

namespace helio::test {

class Gate {
public:
    /// Blocks the calling thread until the gate is open.
    void pass()
    {
        std::unique_lock lock(m_mutex);
        m_hasVisitor = true;
        m_changed.notify_all();
        m_changed.wait(lock, [this] { return m_isOpen; });
    }

    void open()
    {
        const std::lock_guard lock(m_mutex);
        m_isOpen = true;
        m_changed.notify_all();
    }

    /// Waits until a thread has entered pass().
    void waitUntilBlocked()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_hasVisitor; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isOpen = false;
    bool m_hasVisitor = false;
};

} // namespace helio::test
