// Errors of the system: while Heliograph indexes, reopens, queries, exports, unpacks and shows traces, one call on a file, a thread or
// memory fails, each in turn. It must not crash or hang, must not print a wrong result as a right one, must say why it failed, and must not
// leave files that mislead a later run.
//
// Some of the calls are tried, spread over the run. HELIOGRAPH_ALL_FAULTS is the number of calls that are tried in each row instead; 1
// stands for all.

#include "tests/app/cli/program.h"
#include "tests/faults/workplace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cerrno>
#include <map>
#include <memory>

using namespace helio;
using namespace helio::test;

namespace {

constexpr long TriedCalls = 3; ///< Number of calls that fail in one row, unless all are tried; 1 for slow operations.
constexpr long FewCalls = 6; ///< If a row has at most this number of calls, all are tried.

/// A kind of error and the calls that it strikes.
struct ErrorKind {
    const char* name;
    QByteArray kind; ///< See fault_shim.cpp.
    const char* calls = nullptr; ///< Names of the calls; all calls on files if nullptr.
    bool stays = false; ///< True if all later calls fail, too.
    bool isForSlow = false; ///< True if slow operations are tried with it.
};

const std::vector<ErrorKind>& errorKinds()
{
    static const std::vector<ErrorKind> all{
        {"EIO", QByteArray::number(EIO), nullptr, false, true},
        {"EIO from then on", QByteArray::number(EIO), nullptr, true},
        {"ENOSPC", QByteArray::number(ENOSPC)},
        {"ENOSPC from then on", QByteArray::number(ENOSPC), "write,pwrite64,writev,ftruncate64,fallocate64,posix_fallocate64,mkdir", true,
         true},
        {"EACCES", QByteArray::number(EACCES)},
        {"EACCES from then on", QByteArray::number(EACCES), nullptr, true},
        {"EINTR", QByteArray::number(EINTR)},
        {"EMFILE", QByteArray::number(EMFILE)},
        {"EMFILE from then on", QByteArray::number(EMFILE), "open,fopen64,dup,fcntl,opendir,fdopendir,memfd_create,pipe2,socketpair", true},
        {"short", "short", "read,pread64,write,pwrite64,copy_file_range,sendfile64"},
        {"ENOMEM of mappings", QByteArray::number(ENOMEM), "mmap64", false, true},
        {"ENOMEM of mappings that grow", QByteArray::number(ENOMEM), "mremap", false, true},
        {"files shrink", "shrink"},
        {"files grow", "grow"},
        {"larger sizes", "larger", "stat"},
        {"smaller sizes", "smaller", "stat"},
        {"no thread", QByteArray::number(EAGAIN), "pthread_create"},
        {"no threads", QByteArray::number(EAGAIN), "pthread_create", true, true},
        {"no large memory", QByteArray::number(ENOMEM), "malloc", false, true},
        {"no large memory from then on", QByteArray::number(ENOMEM), "malloc", true},
        {"no memory", QByteArray::number(ENOMEM), "new", false, true},
    };
    return all;
}

/// Returns the texts that describe an error, one of which a message must contain; empty if any message will do.
QByteArrayList causesOf(const ErrorKind& error)
{
    if (error.calls && (qstrcmp(error.calls, "malloc") == 0 || qstrcmp(error.calls, "new") == 0))
        return {"memory"};
    return {};
}

/// Returns the names of the files in a folder that should not be there, are missing, or differ.
QByteArray difference(const Workplace::Files& expected, const Workplace::Files& got)
{
    QByteArray text;
    for (const auto& [name, bytes] : expected.asKeyValueRange())
        if (const auto it = got.find(name); it == got.end() || *it != bytes)
            text += "  " + name.toUtf8() + (it == got.end() ? " is missing\n" : " differs\n");
    // A store of the part of a trace that could be read is none of the whole trace.
    for (const auto& [name, bytes] : got.asKeyValueRange())
        if (!expected.contains(name) && !name.endsWith(".store"))
            text += "  " + name.toUtf8() + " is left over\n";
    return text;
}

struct Result {
    QByteArray text;
    Workplace::Files files;
    bool operator==(const Result&) const = default;
};

/// An operation with its folder, and what it does without faults.
class Reference {
public:
    explicit Reference(const Operation& tried)
        : operation(tried)
        , place(tried)
    {
        place.prepare(operation);
        outcome = place.run(operation, {});
        result = {outcome.result.out, place.output()};
        cache = place.cache();
        m_calls[""] = outcome.calls;
    }

    /// Prepares a run: without output, and with the cache that it needs.
    void prepare() const
    {
        if (operation.isWarm && place.cache() != cache)
            place.forgetCache();
        place.prepare(operation);
    }

    /// Returns how often the operation makes one of these calls.
    long countCalls(const QByteArray& calls) const
    {
        if (!m_calls.contains(calls)) {
            prepare();
            m_calls[calls] = place.run(operation, {0, "0", calls, false}).calls;
        }
        return m_calls[calls];
    }

    const Operation& operation;
    const Workplace place;
    Workplace::Outcome outcome;
    Result result;
    Workplace::Files cache; ///< Files in the cache after the run.

private:
    mutable QMap<QByteArray, long> m_calls;
};

/// True for what Qt does not survive or report: it leaves the image out of an SVG file if the memory for its compression is lacking, and
/// starts a window with functions that may not throw.
bool isLimitOfQt(const Operation& operation, const ErrorKind& error)
{
    const bool isMemory = error.calls && (qstrcmp(error.calls, "malloc") == 0 || qstrcmp(error.calls, "new") == 0);
    const bool isPicture = qstrcmp(operation.name, "render") == 0 || qstrcmp(operation.name, "report") == 0;
    const bool isWindow = qstrcmp(operation.name, "window") == 0;
    return isMemory && (isWindow || (isPicture && qstrcmp(error.calls, "malloc") == 0));
}

/// Checks one row: an operation of Heliograph, and a kind of error.
class Row {
public:
    Row(const Reference& reference, const ErrorKind& error)
        : m_reference(reference)
        , m_place(reference.place)
        , m_operation(reference.operation)
        , m_error(error)
    {
    }

    /// Lets calls fail; returns what is wrong, or an empty text.
    QByteArray run()
    {
        if (m_reference.outcome.result.status != 0)
            return "fails without a fault: " + m_reference.outcome.result.err;
        const long calls = m_reference.countCalls(m_error.calls ? m_error.calls : "");
        const long most = qEnvironmentVariableIntValue("HELIOGRAPH_ALL_FAULTS");
        const long usual = calls <= FewCalls ? calls : m_operation.isSlow ? 1 : TriedCalls;
        const long tried = most == 0 ? usual : most == 1 ? calls : most;
        const long step = std::max(1L, calls / std::max(tried, 1L));
        const char* const tag = QTest::currentDataTag();
        const long first = 1 + long(qHashBits(tag, qstrlen(tag)) % ulong(step));
        QByteArray problems;
        for (long at = first; at <= calls; at += step, ++m_tried)
            if (const QByteArray problem = checkCall(at); !problem.isEmpty())
                problems += "call " + QByteArray::number(at) + " of " + QByteArray::number(calls) + problem + '\n';
        if (most > 0) {
            qInfo("%ld calls tried of %ld; messages:", m_tried, calls);
            for (const QByteArray& message : std::as_const(m_messages))
                qInfo("%s", message.constData());
        }
        return problems;
    }

private:
    Workplace::Fault faultAt(long at) const { return {at, m_error.kind, m_error.calls ? m_error.calls : "", m_error.stays}; }

    QByteArray checkCall(long at)
    {
        m_reference.prepare();
        const auto outcome = m_place.run(m_operation, faultAt(at));
        const QByteArray context = " (" + outcome.hit + ')';
        const Result got{outcome.result.out, m_place.output()};
        m_place.restoreTrace();
        QByteArray problem = problemOf(outcome, got);
        if (const QByteArray later = problemOfLaterRun(); !later.isEmpty())
            problem += later;
        return problem.isEmpty() ? problem : context + problem;
    }

    QByteArray problemOf(const Workplace::Outcome& outcome, const Result& got)
    {
        const QByteArray err = '\n' + outcome.result.err;
        for (const QByteArray& line : outcome.result.err.split('\n'))
            if (!line.isEmpty())
                m_messages.insert(QByteArray(line).replace(m_place.path("").toUtf8(), "…"));
        if (outcome.hasCrashed)
            return ": crash" + err;
        if (outcome.hangs)
            return ": hang" + err;
        const bool hasMessage = outcome.result.err.contains("heliograph: ");
        // A trace that another program changes is read as it was, or the change is reported.
        const bool isChanged = m_error.kind == "shrink" || m_error.kind == "grow" || m_error.kind == "larger" || m_error.kind == "smaller";
        if (isChanged && hasMessage)
            return {};
        if (m_error.kind == "smaller" || m_error.kind == "grow") // The file seems to have that size, and is read with it.
            return {};
        if (outcome.result.status == 0 && m_place.outputContains("Left out: ")) // A report says what it lacks.
            return {};
        if (outcome.result.status == 0)
            return got == m_reference.result
                ? QByteArray()
                : ": a wrong result is printed as a right one\n" + difference(m_reference.result.files, got.files) + err;
        if (!hasMessage)
            return ": no message" + err;
        // libarchive does not say why it refused a file, so the message is that of a file of no known format.
        const QByteArrayList causes = qstrcmp(m_operation.trace, "archive") == 0 ? QByteArrayList() : causesOf(m_error);
        if (!causes.isEmpty() && std::ranges::none_of(causes, [&](const QByteArray& it) { return outcome.result.err.contains(it); }))
            return ": the message does not say that memory ran out" + err;
        // A stream that cannot be read is named; the rest is exported.
        const bool isPartOfTrace = outcome.result.err.contains("heliograph: " + m_place.path("trace").toUtf8());
        const bool isLeftBehind = !got.files.isEmpty() && got.files != m_reference.result.files && !isPartOfTrace;
        // If all calls fail, temporary files cannot be removed; neither can a file whose removal fails.
        const bool canRemove = !m_error.stays && !outcome.hit.startsWith("unlink") && !outcome.hit.startsWith("remove");
        return isLeftBehind && canRemove ? ": a part of a file is left\n" + difference(m_reference.result.files, got.files) + err
                                         : QByteArray();
    }

    /// Checks that files that are left in the cache do not mislead a later run, and do not stay.
    QByteArray problemOfLaterRun()
    {
        if (m_place.cache() == m_reference.cache)
            return {};
        m_place.removeOutput();
        const auto later = m_place.run(m_operation, {});
        if (later.result.status != 0)
            return ": a later run fails\n" + later.result.err;
        if (Result{later.result.out, m_place.output()} != m_reference.result)
            return ": a later run gives another result\n" + later.result.err;
        if (m_place.cache() == m_reference.cache)
            return {};
        m_place.runForced(); // Writing a store removes temporary files that were left behind.
        QByteArray left = difference(m_reference.cache, m_place.cache());
        if (m_error.stays && left.contains("/.unpacking-")) // Nothing could be removed; such folders are removed when they are old.
            left.clear();
        m_place.forgetCache();
        return left.isEmpty() ? left : ": a later run leaves other files in the cache\n" + left;
    }

    const Reference& m_reference;
    const Workplace& m_place;
    const Operation& m_operation;
    const ErrorKind& m_error;
    QSet<QByteArray> m_messages;
    long m_tried = 0;
};

} // namespace

class FaultsTest : public QObject {
    Q_OBJECT

    std::map<int, std::unique_ptr<const Reference>> m_references; ///< References, keyed by the index of their operation.

    const Reference& reference(int operation)
    {
        auto& found = m_references[operation];
        if (!found)
            found = std::make_unique<const Reference>(operations()[std::size_t(operation)]);
        return *found;
    }

private slots:
    void oneFailingCall_data()
    {
        QTest::addColumn<int>("operation");
        QTest::addColumn<int>("error");
        for (std::size_t operation = 0; operation < operations().size(); ++operation)
            for (std::size_t error = 0; error < errorKinds().size(); ++error)
                if (!operations()[operation].isSlow || errorKinds()[error].isForSlow || qEnvironmentVariableIsSet("HELIOGRAPH_ALL_FAULTS"))
                    if (!isLimitOfQt(operations()[operation], errorKinds()[error]))
                        QTest::addRow("%s, %s", operations()[operation].name, errorKinds()[error].name) << int(operation) << int(error);
    }
    void oneFailingCall()
    {
        QFETCH(int, operation);
        QFETCH(int, error);
        const QByteArray problems = Row(reference(operation), errorKinds()[std::size_t(error)]).run();
        QVERIFY2(problems.isEmpty(), problems);
    }

    void limitsOfTheProcess_data()
    {
        QTest::addColumn<int>("operation");
        QTest::addColumn<QString>("limits");
        // A user who is not root may have the threads of all processes of this user.
        const QString other = R"(exec setpriv --reuid 65534 --regid 65534 --clear-groups bash -c 'ulimit -u %1; exec "$0" "$@"' "$0" "$@")";
        const QString group = "mkdir -p /sys/fs/cgroup/%1/heliograph-faults && echo %3 > /sys/fs/cgroup/%1/heliograph-faults/%2 && "
                              "echo $$ > /sys/fs/cgroup/%1/heliograph-faults/cgroup.procs || exit 77";
        std::vector<std::pair<QByteArray, QString>> limits;
        for (const int files : {12, 20, 40, 64})
            limits.emplace_back("files " + QByteArray::number(files), QString("ulimit -n %1").arg(files));
        for (const int megabytes : {140, 160, 180, 200, 300})
            limits.emplace_back("address space of " + QByteArray::number(megabytes) + " MB", QString("ulimit -v %1").arg(megabytes * 1000));
        for (const int kilobytes : {0, 8, 1200})
            limits.emplace_back("files of " + QByteArray::number(kilobytes) + " kB", QString("ulimit -f %1").arg(kilobytes));
        for (const int threads : {1, 2, 4})
            limits.emplace_back("threads of a user " + QByteArray::number(threads), other.arg(threads));
        for (const int threads : {1, 2, 4})
            limits.emplace_back("threads of a group " + QByteArray::number(threads), group.arg("pids", "pids.max").arg(threads));
        for (const int megabytes : {50, 100})
            limits.emplace_back("memory of a group " + QByteArray::number(megabytes) + " MB",
                                group.arg("memory", "memory.limit_in_bytes").arg(QString::number(megabytes) + 'M'));
        const bool isAll = qEnvironmentVariableIsSet("HELIOGRAPH_ALL_FAULTS");
        for (std::size_t operation = 0; operation < operations().size(); ++operation)
            for (std::size_t limit = 0; limit < limits.size(); ++limit)
                if (isAll || operation == 0 || (operations()[operation].isSlow && limit % operations().size() == operation))
                    QTest::addRow("%s, %s", operations()[operation].name, limits[limit].first.constData())
                        << int(operation) << limits[limit].second;
    }
    void limitsOfTheProcess()
    {
        QFETCH(int, operation);
        QFETCH(QString, limits);
        const Reference& expected = reference(operation);
        const Workplace& place = expected.place;
        QCOMPARE(expected.outcome.result.status, 0);
        expected.prepare();
        place.openToAll();
        const auto outcome = place.runLimited(expected.operation, limits);
        const ProgramResult& result = outcome.result;
        if (result.status == 77 || result.err.contains("setpriv: "))
            QSKIP("this user may not set the limit");
        if (result.status == 127 || result.err.contains("error while loading shared libraries"))
            QSKIP("the program is not loaded within this limit");
        QVERIFY2(!outcome.hasCrashed && !outcome.hangs, result.err);
        if (result.status == 0)
            QVERIFY2(result.out == expected.outcome.result.out, result.err);
        else
            QVERIFY2(result.status == 1 && result.err.contains("heliograph: "), result.err);
        // Neither may what is left over mislead a run without limits.
        place.removeOutput();
        const auto later = place.run(expected.operation, {});
        QVERIFY2(later.result.status == 0 && later.result.out == expected.outcome.result.out, later.result.err);
    }
};

HELIO_TEST(FaultsTest)
#include "tst_faults.moc"
