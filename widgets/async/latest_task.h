#pragma once

#include <QObject>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace helio {

/// Runs jobs on its own thread, one at a time; the latest wins: post() asks the running job to stop and drops a waiting one.
///
/// Ownership: a view owns it. The destructor asks the running job to stop and waits for it, so jobs must heed their stop token.
/// Threads: post() and cancel() from the UI thread.
/// Errors: a job that throws delivers nothing; failed() says why, and JobFailures tells the window. If the system gives no thread, jobs run
/// on the UI thread.
class LatestTask : public QObject {
    Q_OBJECT

public:
    using Delivery = std::function<void()>;
    /// A job runs on the thread of this object. The function it returns (may be empty) runs on the UI thread, unless a newer job was posted
    /// meanwhile.
    using Job = std::function<Delivery(std::stop_token)>;

    explicit LatestTask(QObject* parent = nullptr);
    ~LatestTask() override;

    /// Replaces the running and the waiting job. The thread is woken only after the current event was handled: a window that is resized
    /// paints inside its event, and jobs on the other core delayed the display server and with it the frame (p90 of resizing 19 ms
    /// instead of 14 ms on two cores).
    void post(Job job);

    /// For use inside a job: runs `part` on the UI thread, unless a newer job was posted meanwhile.
    void deliver(std::stop_token stop, Delivery part);

    /// Asks the running job to stop and drops a waiting one.
    void cancel();

    bool isBusy() const { return m_isBusy; } ///< True from post() until the job's delivery ran or cancel() was called. UI thread.

signals:
    /// The latest job threw an exception; `why` is a sentence for the user.
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

/// Tells windows about jobs that threw an exception. Threads: UI thread.
class JobFailures : public QObject {
    Q_OBJECT

public:
    static JobFailures& instance();

signals:
    void failed(const QString& why);
};

} // namespace helio
