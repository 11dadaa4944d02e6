#include "core/io/mapped_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <numeric>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace helio;

namespace {

constexpr std::size_t Page = 4096;

std::uint64_t sumOf(std::span<const std::byte> bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0},
                           [](std::uint64_t sum, std::byte b) { return sum + std::to_integer<std::uint64_t>(b); });
}

/// Runs `body` in a child process and returns the status that wait() reports for the child.
template <typename Body> int statusOfChild(Body body)
{
    const pid_t child = ::fork();
    if (child == 0) {
        body();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

/// Maps the file without MappedFile and reads past its end: the resulting SIGBUS is not MappedFile's.
void readPastForeignMap(const std::string& path)
{
    FILE* file = std::fopen(path.c_str(), "r");
    void* data = ::mmap(nullptr, 4 * Page, PROT_READ, MAP_PRIVATE, ::fileno(file), 0);
    volatile char c = static_cast<const volatile char*>(data)[3 * Page];
    (void)c;
}

void leaveWith7(int) { ::_exit(7); }

} // namespace

class MappedFileTest : public QObject {
    Q_OBJECT

private slots:
    void aFileIsMappedWhole()
    {
        const auto file = MappedFile::open(write("whole", QByteArray("abc\0def", 7)));

        QVERIFY(file);
        QCOMPARE(QByteArray(reinterpret_cast<const char*>((*file)->bytes().data()), 7), QByteArray("abc\0def", 7));
        QVERIFY(!(*file)->wasTruncated());
    }

    void anEmptyFileHasNoBytes()
    {
        const auto file = MappedFile::open(write("empty", {}));

        QVERIFY(file);
        QVERIFY((*file)->bytes().empty());
        (*file)->advise(MappedFile::Advice::Sequential);
        QVERIFY(!(*file)->wasTruncated());
    }

    void whatIsNoRegularFileIsRefused()
    {
        const std::string pipe = m_folder.filePath("pipe").toStdString();
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);

        const auto missing = MappedFile::open(m_folder.filePath("missing").toStdString());
        QVERIFY(!missing);
        QCOMPARE(missing.error().kind, Error::Kind::NotFound);
        for (const std::string& path : {pipe, m_folder.path().toStdString(), std::string("/dev/zero")}) {
            const auto file = MappedFile::open(path);
            QVERIFY(!file);
            QCOMPARE(file.error().kind, Error::Kind::Unreadable);
            QVERIFY(file.error().what.starts_with(path));
        }
    }

    void whatIsCutOffReadsAsZeros()
    {
        const std::string path = write("cut", QByteArray(10 * Page, '\1'));
        const auto file = MappedFile::open(path);
        QVERIFY(file);
        QCOMPARE(::truncate(path.c_str(), 2 * Page + 100), 0);

        QCOMPARE(sumOf((*file)->bytes()), std::uint64_t{2 * Page + 100});
        QVERIFY((*file)->wasTruncated());
    }

    void onlyTheFileThatWasCutIsFlagged()
    {
        const std::string cut = write("cut2", QByteArray(3 * Page, '\1'));
        const auto before = MappedFile::open(write("before", QByteArray(3 * Page, '\2')));
        const auto file = MappedFile::open(cut);
        const auto after = MappedFile::open(write("after", QByteArray(3 * Page, '\2')));
        QVERIFY(before && file && after);
        QCOMPARE(::truncate(cut.c_str(), 0), 0);

        QCOMPARE(sumOf((*file)->bytes()), std::uint64_t{0});
        QCOMPARE(sumOf((*before)->bytes()) + sumOf((*after)->bytes()), std::uint64_t{12 * Page});
        QVERIFY((*file)->wasTruncated());
        QVERIFY(!(*before)->wasTruncated());
        QVERIFY(!(*after)->wasTruncated());
    }

    void aRegionUsedAgainStartsUnflagged()
    {
        const std::string path = write("again", QByteArray(2 * Page, '\1'));
        {
            const auto file = MappedFile::open(path);
            QVERIFY(file);
            QCOMPARE(::truncate(path.c_str(), 0), 0);
            QCOMPARE(sumOf((*file)->bytes()), std::uint64_t{0});
        }

        const auto next = MappedFile::open(write("next", QByteArray(2 * Page, '\1')));
        QVERIFY(next);
        QVERIFY(!(*next)->wasTruncated());
    }

    void adviceOutsideOfTheFileIsHarmless()
    {
        const auto file = MappedFile::open(write("advice", QByteArray(3 * Page, '\1')));
        QVERIFY(file);

        for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{Page + 1}, std::uint64_t{99 * Page}, ~std::uint64_t{0}})
            (*file)->advise(MappedFile::Advice::Random, offset, ~std::uint64_t{0});

        QCOMPARE(sumOf((*file)->bytes()), std::uint64_t{3 * Page});
    }

    void foreignBusErrorsStillKill()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("the sanitizer has a handler of its own");
#endif
        const std::string path = write("foreign", QByteArray(10, '\1'));

        const int status = statusOfChild([&] {
            ::signal(SIGBUS, SIG_DFL); // Removes Qt Test's handler, so that the signal ends the child.
            const auto file = MappedFile::open(path);
            readPastForeignMap(path);
        });
        QVERIFY(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) != 0));
    }

    void aFileWrittenToAfterItWasOpenedHasChanged()
    {
        const std::string path = write("written", QByteArray(100, 'a'));
        setAge(path);
        const auto file = MappedFile::open(path);
        QVERIFY(!(*file)->hasChanged());
        write("written", QByteArray(100, 'b'));
        QVERIFY((*file)->hasChanged());
    }

    void aFileThatGrewHasChanged()
    {
        const std::string path = write("grown", QByteArray(100, 'a'));
        const auto file = MappedFile::open(path);
        QFile more(QString::fromStdString(path));
        QVERIFY(more.open(QIODevice::Append) && more.write("b") == 1);
        more.close();
        QVERIFY((*file)->hasChanged());
    }

    void aFileReplacedByAnotherHasNotChanged()
    {
        const std::string path = write("replaced", QByteArray(100, 'a'));
        const auto file = MappedFile::open(path);
        const std::string other = write("other", QByteArray(200, 'b'));
        QCOMPARE(::rename(other.c_str(), path.c_str()), 0);
        QVERIFY(!(*file)->hasChanged());
        QCOMPARE(::unlink(path.c_str()), 0);
        QVERIFY(!(*file)->hasChanged());
    }

    void theHandlerThatWasThereBeforeGetsForeignBusErrors()
    {
        const std::string path = write("chained", QByteArray(10, '\1'));
        // Runs in a process of its own, because the handler is installed at the first open() of a process.
        const int status = statusOfChild([&] {
            ::signal(SIGBUS, leaveWith7);
            ::execl("/proc/self/exe", "tst_mapped_file", "--chain", path.c_str(), nullptr);
        });
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 7);
    }

private:
    std::string write(const QString& name, const QByteArray& content)
    {
        QFile file(m_folder.filePath(name));
        [&] { QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size()); }();
        return file.fileName().toStdString();
    }

    /// Sets the file's modification time to an old time, so that a later write changes it even if the file system's clock is coarse.
    static void setAge(const std::string& path)
    {
        const timespec old[] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
        QCOMPARE(::utimensat(AT_FDCWD, path.c_str(), old, 0), 0);
    }

    QTemporaryDir m_folder;
};

int main(int argc, char** argv)
{
    if (argc == 3 && std::string_view(argv[1]) == "--chain") {
        ::signal(SIGBUS, leaveWith7); // exec resets signal handlers.
        const auto file = MappedFile::open(argv[2]);
        readPastForeignMap(argv[2]);
        return 1;
    }
    MappedFileTest test;
    QTEST_SET_MAIN_SOURCE_PATH
    return QTest::qExec(&test, argc, argv);
}
#include "tst_mapped_file.moc"
