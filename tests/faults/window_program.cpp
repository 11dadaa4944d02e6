// The window of Heliograph without a user, as the tests of faults run it: opens traces, saves the session as it closes, and opens this
// session again. Prints what the window shows at each step; errors that the window shows go to standard error.

#include "app/gui/common/settings.h"
#include "app/gui/main_window/main_window.h"
#include "app/gui/main_window/run_window.h"
#include "app/gui/meters/meters.h"
#include "widgets/async/latest_task.h"

#include <QAbstractButton>
#include <QMessageBox>
#include <QTest>
#include <QTimer>

#include <csignal>
#include <cstdio>
#include <new>

using namespace helio;

namespace {

void complain(const QString& text) { std::fprintf(stderr, "heliograph: %s\n", qPrintable(text)); }

/// Answers every question of the window as a user would that wants to close it, and prints the question.
void answerQuestions()
{
    for (QWidget* const widget : QApplication::topLevelWidgets())
        if (auto* const box = qobject_cast<QMessageBox*>(widget); box && box->isVisible()) {
            complain(box->text());
            if (auto* const close = box->button(QMessageBox::Close))
                close->click();
            else
                box->reject();
        }
}

/// Opens `path` in a new window and closes it. Returns false if it is not shown.
bool showAndClose(const QString& path)
{
    MainWindow window;
    window.resize(1440, 900);
    window.show();
    window.open({path});
    const Session& session = window.session();
    const auto isOver = [&] {
        const auto state = session.state();
        return state == Session::State::Ready || state == Session::State::Failed || state == Session::State::Empty;
    };
    if (!QTest::qWaitFor(isOver, 20'000))
        complain("the traces are still being read");
    QTest::qWait(200); // Lets the views ask their queries.
    const bool isReady = session.state() == Session::State::Ready;
    if (!isReady)
        complain(session.problem().isEmpty() ? QString("no trace was opened") : session.problem());
    const auto timeline = window.context().timeline();
    std::size_t rows = 0;
    for (const TimelineStore& each : timeline ? timeline->stores : std::vector<TimelineStore>())
        rows += each.store ? each.store->tracks().size() : 0;
    std::printf("%s: %zu rows\n", isReady ? "ready" : "not ready", rows);
    for (const Diagnostic& problem : timeline ? timeline->diagnostics : std::vector<Diagnostic>())
        complain(QString::fromStdString(problem.what));
    window.close();
    return isReady;
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGXFSZ, SIG_IGN);
    MeteredApplication app(argc, argv);
    QApplication::setApplicationName("heliograph");
    QApplication::setOrganizationName("heliograph");
    QObject::connect(&JobFailures::instance(), &JobFailures::failed, &app, complain);
    QTimer questions;
    QObject::connect(&questions, &QTimer::timeout, &app, answerQuestions);
    questions.start(20);
    if (argc < 2)
        return 2;
    if (!canStartThreads()) {
        complain("the system refuses more threads");
        return 1;
    }
    try { // main() of Heliograph handles this, too.
        const bool isShown = showAndClose(QString::fromLocal8Bit(argv[1]));
        return showAndClose(Settings::lastSessionPath()) && isShown ? 0 : 1;
    } catch (const std::bad_alloc&) {
        complain("not enough memory");
        return 1;
    }
}
