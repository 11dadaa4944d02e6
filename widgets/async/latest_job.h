#pragma once

#include <QObject>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace helio {

/// Runs jobs on a thread of its own, one at a time; the latest wins: posting asks the running one to stop and drops what waits.
///
/// Owned by a view. post() from the UI thread. Destruction asks the running job to stop and waits for it, so jobs must heed their token.
///
/// Errors: a job that throws delivers nothing; failed() says why, and JobFailures tells the window. Where the system gives no thread, jobs
/// run on the UI thread.
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

signals:
    /// The latest job ended by an exception; `why` is a sentence.
    void failed(const QString& why);

private:
    void wake();
    void run(std::stop_token quit);
    void runNext(std::unique_lock<std::mutex>& lock);
    void fail(const std::string& what);

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Job m_next;
    std::stop_source m_stop{std::nostopstate};
    bool m_isBusy = false;
    std::jthread m_thread;
};

/// Tells windows of jobs that ended by an exception. UI thread.
class JobFailures : public QObject {
    Q_OBJECT

public:
    static JobFailures& instance();

signals:
    void failed(const QString& why);
};

} // namespace helio
