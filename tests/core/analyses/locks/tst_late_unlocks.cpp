// Input: simulated mutexes whose releases are recorded late. Property: hold times equal those that the simulation knows.

#include "tests/core/analyses/locks/lock_script.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>
#include <vector>

using namespace helio;
using namespace helio::test;

namespace {

constexpr std::int64_t Never = std::numeric_limits<std::int64_t>::max();
constexpr int Process = 100, FirstThread = 7;

/// Simulates threads that lock a few mutexes, each thread one mutex at a time. Like LTTng-UST, writes each event after the action that it
/// records.
class SimulatedThreads {
public:
    SimulatedThreads(unsigned seed, LockScript& script)
        : m_random(seed)
        , m_script(script)
        , m_threads(2 + m_random() % 4)
        , m_mutexes(1 + m_random() % 2)
    {
        for (Mutex& mutex : m_mutexes)
            mutex.isRobust = chance(2);
    }

    void play(int steps)
    {
        for (int i = 0; i < steps; ++i) {
            m_now += 1 + m_random() % 20;
            step(m_random() % m_threads.size());
        }
    }

    std::int64_t now() const { return m_now; }

    /// Expected holds that ended, with their waiters, in the format of segmentLines().
    QStringList holds() const
    {
        QStringList all;
        for (const Hold& it : m_holds) {
            const std::int64_t end = std::min(it.unlocked, overtaken(it));
            if (it.acquired != Never && end != Never)
                all << line(it, end);
        }
        all.sort();
        return all;
    }

    /// Number of holds whose release was recorded after another thread had acquired the mutex.
    std::ptrdiff_t lateOnes() const
    {
        return std::ranges::count_if(m_holds, [&](const Hold& it) { return it.unlocked != Never && overtaken(it) < it.unlocked; });
    }

private:
    enum class PlayerAction { Nothing, Asks, HasGot, Holds, AsksAgain, WaitsForCondition, HasGivenBack, IsDead };
    struct Thread {
        PlayerAction does = PlayerAction::Nothing;
        std::size_t mutex = 0;
        std::size_t hold = 0; ///< Index into m_holds of the thread's hold of the mutex.
        std::size_t wait = 0;
        int depth = 0;
        bool isTry = false;
        bool hasWaitedForCondition = false; ///< True if the thread has waited for a condition with this mutex.
        bool afterDeath = false; ///< True if the mutex's previous owner died.
    };
    struct Mutex {
        bool isRobust = false;
        bool isTaken = false;
        bool hasDeadOwner = false;
    };
    struct Hold {
        std::size_t thread = 0, mutex = 0;
        /// Times of the recorded events in ns, which may be later than the actions; Never if not recorded.
        std::int64_t acquired = Never, unlocked = Never;
    };
    struct Wait {
        std::size_t thread = 0, mutex = 0;
        std::int64_t begin = 0, end = Never;
    };

    bool chance(unsigned in) { return m_random() % in == 0; }
    static int tid(std::size_t thread) { return FirstThread + int(thread); }
    static std::uint64_t address(std::size_t mutex) { return 0x10 + 8 * mutex; }

    /// Earliest recorded time at which another thread owned the mutex after this hold began; Never if there is none.
    std::int64_t overtaken(const Hold& hold) const
    {
        std::int64_t first = Never;
        for (const Hold& other : m_holds)
            if (other.mutex == hold.mutex && other.thread != hold.thread && other.acquired > hold.acquired)
                first = std::min(first, other.acquired);
        return first;
    }

    void step(std::size_t number)
    {
        Thread& it = m_threads[number];
        Mutex& mutex = m_mutexes[it.mutex];
        switch (it.does) {
        case PlayerAction::Nothing: return ask(number, it);
        case PlayerAction::Asks: return get(number, it, mutex);
        case PlayerAction::HasGot: return got(number, it);
        case PlayerAction::Holds: return goOn(number, it, mutex);
        case PlayerAction::AsksAgain: // The lock is recursive, so its owner gets it again at once.
            m_script.acquire(m_now, tid(number), address(it.mutex));
            ++it.depth;
            it.does = PlayerAction::Holds;
            return;
        case PlayerAction::WaitsForCondition:
            if (mutex.isTaken || chance(2))
                return;
            mutex.isTaken = true;
            it.does = PlayerAction::Holds;
            return;
        case PlayerAction::HasGivenBack:
            // The thread gave the mutex back. In each step, its unlock event is written with a probability of 1/6, so that the event is
            // late by a random number of steps.
            if (!chance(6))
                return;
            m_script.unlock(m_now, tid(number), address(it.mutex));
            m_holds[it.hold].unlocked = m_now;
            it.does = PlayerAction::Nothing;
            return;
        case PlayerAction::IsDead: return;
        }
    }

    void ask(std::size_t number, Thread& it)
    {
        it = Thread{};
        it.mutex = m_random() % m_mutexes.size();
        it.isTry = chance(5);
        it.does = PlayerAction::Asks;
        if (it.isTry)
            return;
        m_script.request(m_now, tid(number), address(it.mutex));
        it.wait = m_waits.size();
        m_waits.push_back({number, it.mutex, m_now});
    }

    void get(std::size_t number, Thread& it, Mutex& mutex)
    {
        constexpr int Busy = 16, TimedOut = 110;
        if (!mutex.isTaken) {
            mutex.isTaken = true;
            it.afterDeath = std::exchange(mutex.hasDeadOwner, false);
            it.does = PlayerAction::HasGot;
            it.depth = 1;
            it.hold = m_holds.size();
            m_holds.push_back({number, it.mutex});
        } else if (it.isTry) {
            m_script.tryIt(m_now, tid(number), address(it.mutex), Busy);
            it.does = PlayerAction::Nothing;
        } else if (chance(20)) {
            m_script.acquire(m_now, tid(number), address(it.mutex), TimedOut);
            m_waits[it.wait].end = m_now;
            it.does = PlayerAction::Nothing;
        }
    }

    void got(std::size_t number, Thread& it)
    {
        const int status = it.afterDeath ? 130 : 0;
        if (it.isTry)
            m_script.tryIt(m_now, tid(number), address(it.mutex), status);
        else
            m_script.acquire(m_now, tid(number), address(it.mutex), status);
        if (!it.isTry)
            m_waits[it.wait].end = m_now;
        m_holds[it.hold].acquired = m_now;
        it.does = PlayerAction::Holds;
    }

    void goOn(std::size_t number, Thread& it, Mutex& mutex)
    {
        if (chance(200)) {
            it.does = PlayerAction::IsDead;
            mutex.isTaken = !mutex.isRobust;
            mutex.hasDeadOwner = mutex.isRobust;
        } else if (it.depth < 3 && !it.hasWaitedForCondition && chance(6)) {
            m_script.request(m_now, tid(number), address(it.mutex));
            it.does = PlayerAction::AsksAgain;
        } else if (it.depth > 1) {
            m_script.unlock(m_now, tid(number), address(it.mutex));
            --it.depth;
        } else if (chance(10)) {
            mutex.isTaken = false;
            it.hasWaitedForCondition = true;
            it.does = PlayerAction::WaitsForCondition;
        } else if (chance(3)) {
            mutex.isTaken = false;
            it.does = PlayerAction::HasGivenBack;
        }
    }

    QString line(const Hold& hold, std::int64_t end) const
    {
        std::int64_t madeWait = 0;
        std::vector<std::int64_t> moments{hold.acquired};
        const auto isOfOther = [&](const Wait& wait) { return wait.mutex == hold.mutex && wait.thread != hold.thread; };
        for (const Wait& wait : m_waits) {
            if (!isOfOther(wait))
                continue;
            madeWait += std::max<std::int64_t>(0, std::min(end, wait.end) - std::max(hold.acquired, wait.begin));
            if (hold.acquired < wait.begin && wait.begin < end)
                moments.push_back(wait.begin);
        }
        std::ptrdiff_t most = 0;
        for (const std::int64_t at : moments)
            most = std::max(most, std::ranges::count_if(m_waits, [&](const Wait& wait) {
                                return isOfOther(wait) && wait.begin <= at && at < wait.end;
                            }));
        const QString lock = "0x" + QString::number(address(hold.mutex), 16);
        return QString("lock-hold %1 of process %2 %3-%4 on lock:%2/%1/tid:%5 comm=t%5;waiters=%6;made_wait_ns=%7")
            .arg(lock)
            .arg(Process)
            .arg(hold.acquired)
            .arg(end)
            .arg(tid(hold.thread))
            .arg(most)
            .arg(madeWait);
    }

    std::mt19937 m_random;
    LockScript& m_script;
    std::vector<Thread> m_threads;
    std::vector<Mutex> m_mutexes;
    std::vector<Hold> m_holds;
    std::vector<Wait> m_waits; ///< Waits for mutexes owned by another thread.
    std::int64_t m_now = 0;
};

} // namespace

class LateUnlocksTest : public QObject {
    Q_OBJECT

private slots:
    void heldAsThePlayersKnow()
    {
        std::ptrdiff_t late = 0;
        for (unsigned seed = 1; seed <= 60; ++seed) {
            LockScript s;
            SimulatedThreads players(seed, s);
            players.play(400);
            s.runLocks(players.now() + 10);
            QStringList found = s.segments().split('\n').filter("lock-hold ");
            found.sort();
            QCOMPARE(found, players.holds());
            late += players.lateOnes();
        }
        QVERIFY2(late > 500, qPrintable(QString::number(late)));
    }
};

HELIO_TEST(LateUnlocksTest)

#include "tst_late_unlocks.moc"
