// Saves sessions until it is killed, or until it has saved as many as its last argument tells. Session N has the search text "save N" and,
// in a file, many bookmarks, so that it takes several writes. After saving session N, the program makes the folder N in MARKS, which tells
// what must survive.
//
//   helio_session_saver file SESSION MARKS COUNT      saves by saveSession() to SESSION
//   helio_session_saver window SESSION MARKS COUNT    opens SESSION in a window, and saves by its action and by closing it
//   helio_session_saver trim CACHE MARKS COUNT        saves none, but removes all unpacked archives from CACHE

#include "app/gui/common/session_file.h"
#include "app/gui/main_window/main_window.h"
#include "core/experiment/store_directory.h"

#include <QApplication>
#include <QDir>
#include <QTimer>

#include <cstdio>

using namespace helio;

namespace {

void mark(const QString& marks, int number) { QDir().mkpath(marks + '/' + QString::number(number)); }

SessionState sessionOf(int number)
{
    SessionState state;
    state.traces = {QStringLiteral("/no/such/trace")};
    state.search = "save " + QString::number(number);
    for (int i = 0; i < 50 + number % 7 * 100; ++i)
        state.bookmarks.push_back({{timestamp(i), timestamp(i + number)}, "bookmark of save " + QString::number(number)});
    return state;
}

int saveFiles(const QString& path, const QString& marks, int count)
{
    for (int number = 1; number <= count; ++number) {
        if (const Status saved = saveSession(sessionOf(number), path); !saved) {
            std::fprintf(stderr, "%s\n", saved.error().what.c_str());
            return 1;
        }
        mark(marks, number);
    }
    return 0;
}

int saveByWindow(const QString& path, const QString& marks, int count)
{
    MainWindow window;
    window.resize(1200, 800);
    window.show();
    window.open({path});
    int number = 0;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &window, [&] {
        if (window.session().state() != Session::State::Ready)
            return;
        if (number == count)
            return QApplication::quit();
        ++number;
        window.context().bookmarks().setAll({{{timestamp(1), timestamp(2)}, "save " + QString::number(number)}});
        window.actions().at("file.save-session").trigger();
        window.close();
        window.show();
        mark(marks, number);
    });
    timer.start(0);
    QApplication::setQuitOnLastWindowClosed(false);
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    QApplication::setApplicationName("heliograph");
    QApplication::setOrganizationName("heliograph");
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() != 5)
        return 2;
    if (arguments[1] == "trim") {
        trimArchives(arguments[2].toStdString(), 0, {});
        return 0;
    }
    return arguments[1] == "window" ? saveByWindow(arguments[2], arguments[3], arguments[4].toInt())
                                    : saveFiles(arguments[2], arguments[3], arguments[4].toInt());
}
