#pragma once

#include <QObject>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace helio {

/// Runs jobs on a thread of its own, one at a time; the latest wins: posting asks the running one to stop and drops what waits.
///
/// Owned by a view. post() from the UI thread. Destruction asks the running job to stop and waits for it, so jobs must heed their token.
class LatestJob : public QObject {
    Q_OBJECT

public:
    using Delivery = std::function<void()>;
    /// Works on the thread; what it returns (may be empty) is run on the UI thread, unless a newer job was posted meanwhile.
    using Job = std::function<Delivery(std::stop_token)>;

    explicit LatestJob(QObject* parent = nullptr);
    ~LatestJob() override;

    /// The thread begins once the event in hand is handled: a window that is resized paints inside of its event, and jobs that had the
    /// other core held up the display's server and with it the frame (p90 of resizing 19 ms instead of 14 on two cores).
    void post(Job job);

    /// From inside a job: runs `part` on the UI thread, unless a newer job was posted meanwhile.
    void deliver(std::stop_token stop, Delivery part);

    /// Asks the running job to stop and drops what waits.
    void cancel();

    bool isBusy() const { return m_isBusy; } ///< UI thread. From post() until its delivery ran.

private:
    void wake();
    void run(std::stop_token quit);

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Job m_next;
    std::stop_source m_stop{std::nostopstate};
    bool m_isBusy = false;
    std::jthread m_thread;
};

} // namespace helio
