#include "core/helper/program/sandbox.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <functional>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace helio;

namespace {

/// Result of a process that tried something in the sandbox.
enum Outcome { Succeeded = 10, WasForbidden, FailedOtherwise, HasNoLayer };

/// True if the running kernel has both layers.
bool hasBothLayers(const SandboxLayers& layers) { return layers.hasLandlock && layers.hasSeccomp; }

/// Calls `action` in a child process in the sandbox. `action` returns what the system call returned.
int tryInSandbox(const std::vector<std::filesystem::path>& readable, const std::function<long()>& action)
{
    const pid_t child = fork();
    if (child == 0) {
        if (!hasBothLayers(enterSandbox(readable)))
            _exit(HasNoLayer);
        const long result = action();
        _exit(result >= 0 ? Succeeded : errno == EPERM || errno == EACCES ? WasForbidden : FailedOtherwise);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

class SandboxTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (const char* folder : {"allowed", "forbidden"}) {
            const QString path = m_folder.filePath(folder);
            QVERIFY(QDir().mkpath(path));
            QFile file(path + "/file");
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("text") == 4);
        }
        if (tryInSandbox({}, [] { return 0; }) == HasNoLayer)
            QSKIP("the kernel has no Landlock or no seccomp: whole test");
    }

    void filesAreReadOnlyWhereAllowed()
    {
        const auto openedWith = [&](const char* name, int flags) {
            const QByteArray path = m_folder.filePath(name).toUtf8();
            return tryInSandbox({m_folder.filePath("allowed").toStdString(), "/no/such/folder"},
                                [&] { return open(path.constData(), flags, 0600); });
        };
        QCOMPARE(openedWith("allowed/file", O_RDONLY), Succeeded);
        QCOMPARE(openedWith("allowed", O_RDONLY | O_DIRECTORY), Succeeded);
        QCOMPARE(openedWith("allowed/file", O_RDWR), WasForbidden);
        QCOMPARE(openedWith("allowed/new", O_WRONLY | O_CREAT), WasForbidden);
        QCOMPARE(openedWith("forbidden/file", O_RDONLY), WasForbidden);
        QCOMPARE(openedWith("forbidden", O_RDONLY | O_DIRECTORY), WasForbidden);
        QVERIFY(!QFile::exists(m_folder.filePath("allowed/new")));
    }

    /// Property: one file may be allowed without its folder.
    void aFileCanBeAllowedAlone()
    {
        const std::string file = m_folder.filePath("allowed/file").toStdString();
        QCOMPARE(tryInSandbox({file}, [&] { return open(file.c_str(), O_RDONLY); }), Succeeded);
        QCOMPARE(tryInSandbox({file}, [&] { return open(m_folder.path().toUtf8().constData(), O_RDONLY | O_DIRECTORY); }), WasForbidden);
    }

    void missingLayersAreNamed()
    {
        QCOMPARE(sandboxText({}, {true, true}), std::string());
        QCOMPARE(sandboxText({"libx"}, {true, true}),
                 std::string("libx read files in a process of its own, in a sandbox (Landlock and seccomp)."));
        QVERIFY(
            sandboxText({"libx", "liby", "libz"}, {true, true}).starts_with("libx, liby and libz read files in processes of their own"));
        QVERIFY(sandboxText({"libx"}, {false, true}).find("no Landlock") != std::string::npos);
        QVERIFY(sandboxText({"libx"}, {true, false}).find("no seccomp") != std::string::npos);
        QVERIFY(sandboxText({"libx"}, {false, false}).find("neither") != std::string::npos);
        const SandboxLayers layers = kernelSandbox();
        QVERIFY(layers.hasLandlock && layers.hasSeccomp); // Otherwise, initTestCase() has skipped this test.
    }

    void openFilesStayUsable()
    {
        const int file = open(m_folder.filePath("forbidden/file").toUtf8().constData(), O_RDONLY);
        char text[4];
        QCOMPARE(tryInSandbox({}, [&] { return read(file, text, sizeof text); }), Succeeded);
        close(file);
    }

    void nothingActsOutside_data()
    {
        QTest::addColumn<std::function<long()>>("action");
        const auto row = [](const char* name, std::function<long()> action) { QTest::newRow(name) << std::move(action); };
        row("start a process", [] { return fork(); });
        row("run a program", [] { return execl("/bin/true", "true", nullptr); });
        row("network", [] { return socket(AF_INET, SOCK_STREAM, 0); });
        row("local socket", [] { return socket(AF_UNIX, SOCK_STREAM, 0); });
        row("signal", [] { return kill(getppid(), SIGCONT); });
        row("signal for input", [] { return fcntl(STDIN_FILENO, F_SETOWN, getppid()); });
        row("limits of another process", [] { return prlimit(getppid(), RLIMIT_CORE, nullptr, nullptr); });
        row("memory of another process", [] { return syscall(SYS_process_vm_readv, getppid(), nullptr, 0, nullptr, 0, 0); });
        row("change a mode", [] { return chmod("/tmp", 01777); });
        row("create a folder", [] { return mkdir("/tmp/heliograph-sandbox-test", 0700); });
    }
    void nothingActsOutside()
    {
        QFETCH(std::function<long()>, action);
        QCOMPARE(tryInSandbox({}, action), WasForbidden);
    }

    /// Property: a failed assertion or abort() of a library ends the process as everywhere.
    void abortEndsTheProcess()
    {
        const pid_t child = fork();
        if (child == 0) {
            enterSandbox();
            std::signal(SIGABRT, SIG_DFL);
            std::abort();
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(WTERMSIG(status), SIGABRT);
    }

private:
    QTemporaryDir m_folder;
};

HELIO_TEST(SandboxTest)
#include "tst_sandbox.moc"
