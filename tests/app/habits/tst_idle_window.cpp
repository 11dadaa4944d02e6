// A window in which nothing happens takes no CPU time: neither layouts nor repaints follow each other without an end.

#include "tests/app/exports/open_window.h"
#include "tests/support/test_program.h"

#include <QEvent>
#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Counts the layouts and repaints that are requested in the program.
class RequestCounter : public QObject {
public:
    RequestCounter() { qApp->installEventFilter(this); }
    int count() const { return m_count; }

private:
    bool eventFilter(QObject*, QEvent* event) override
    {
        m_count += event->type() == QEvent::LayoutRequest || event->type() == QEvent::UpdateRequest;
        return false;
    }

    int m_count = 0;
};

constexpr int WatchedMilliseconds = 1000;
constexpr int MostSeconds = 20; ///< Time in which the window must come to rest, on a busy machine, too.
constexpr int MostRequests = 12; ///< Blinking cursors may repaint; an endless layout makes hundreds of requests.

/// Returns the number of requests in the first second in which the window rests; in the last second if it never does.
int requestsWhileIdle()
{
    int requests = 0;
    for (int second = 0; second < MostSeconds; ++second) {
        const RequestCounter counter;
        QTest::qWait(WatchedMilliseconds);
        requests = counter.count();
        if (second > 0 && requests <= MostRequests)
            break;
    }
    return requests;
}

} // namespace

class IdleWindowTest : public QObject {
    Q_OBJECT

private slots:
    void theStartPageRests_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("wide") << QSize(1920, 1080);
        QTest::newRow("narrow") << QSize(800, 600);
    }
    void theStartPageRests()
    {
        QFETCH(QSize, size);
        MainWindow window;
        window.resize(size);
        window.show();
        const int requests = requestsWhileIdle();
        QVERIFY2(requests <= MostRequests, qPrintable(QString::number(requests)));
    }

    void anOpenTraceRests()
    {
        MainWindow window;
        QVERIFY(openIn(window));
        const int requests = requestsWhileIdle();
        QVERIFY2(requests <= MostRequests, qPrintable(QString::number(requests)));
    }
};

HELIO_TEST(IdleWindowTest)
#include "tst_idle_window.moc"
