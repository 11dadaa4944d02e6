#include "tests/core/xml_analysis/shipped/shipped_run.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

bool hasOldNames = false; ///< Events of system calls have their names from before LTTng 2.5.

/// Each thread has the CPU of its number.
KernelScript& enter(KernelScript& script, std::int64_t time, int thread, const char* call, int socket)
{
    return script.event(time, thread, (hasOldNames ? "sys_" : "syscall_entry_") + std::string(call), {{"fd", socket}});
}
KernelScript& leave(KernelScript& script, std::int64_t time, int thread, const char* call, int ret)
{
    return script.event(time, thread, hasOldNames ? "exit_syscall" : std::string("syscall_exit_") + call, {{"ret", ret}});
}

/// Threads 1 and 2 are of process 1; both run.
struct RunningThreads : KernelScript {
    RunningThreads() { dump(1, 1, 1, 0, 0, 5).dump(1, 2, 1, 0, 0, 5).sw(2, 1, 0, 0, 1).sw(2, 2, 0, 0, 2); }
};

} // namespace

class ServerRequestsTest : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { hasOldNames = false; }

    void fromTheFirstPartReceivedToTheAnswerSent_data()
    {
        QTest::addColumn<bool>("isOld");
        QTest::newRow("today's names") << false;
        QTest::newRow("names of LTTng 2.4") << true;
    }
    void fromTheFirstPartReceivedToTheAnswerSent()
    {
        QFETCH(bool, isOld);
        hasOldNames = isOld;
        RunningThreads s;
        enter(s, 5, 1, "accept4", 3);
        leave(s, 6, 1, "accept4", 7);
        enter(s, 8, 2, "read", 7);
        leave(s, 10, 2, "read", 100);
        enter(s, 11, 2, "read", 9); // Another file.
        leave(s, 12, 2, "read", 50);
        enter(s, 13, 2, "recvfrom", 7);
        leave(s, 14, 2, "recvfrom", 20);
        enter(s, 15, 2, "write", 7);
        leave(s, 16, 2, "write", -11); // It must wait.
        enter(s, 20, 2, "write", 7);
        leave(s, 25, 2, "write", 4000);
        enter(s, 26, 2, "write", 7); // More of the answer.
        leave(s, 27, 2, "write", 4000);
        enter(s, 30, 2, "read", 7);
        leave(s, 31, 2, "read", 0); // The client closes its connection.
        enter(s, 32, 2, "close", 7);
        enter(s, 33, 2, "read", 7); // The number is a file's now.
        leave(s, 34, 2, "read", 8);
        enter(s, 35, 2, "write", 7);
        leave(s, 36, 2, "write", 8);
        const DeclaredRun run(shippedText("server-requests"), s, {}, 40);
        QCOMPARE(run.complaints(), "");
        QCOMPARE(run.segments(), "t2 10-25 pid=1;tid=2;fd=7;received=120;sent=4000\n");
        QCOMPARE(run.view("server-requests-rows"),
                 "Servers/1 \"t2\"\nServers/1/Sockets\n"
                 "Servers/1/Sockets/7: works 10-15, answers 15-16, works 16-20, answers 20-25\n");
        QCOMPARE(run.curves(), "server-requests-in-work/Servers/1 (t2): 10=1 25=0\n");
    }

    void whatAServerAsksOthersIsNoRequest()
    {
        RunningThreads s;
        enter(s, 5, 1, "connect", 8);
        leave(s, 6, 1, "connect", 0);
        enter(s, 10, 1, "sendto", 8);
        leave(s, 11, 1, "sendto", 10);
        enter(s, 12, 1, "recvfrom", 8);
        leave(s, 13, 1, "recvfrom", 10);
        enter(s, 14, 1, "sendto", 8);
        leave(s, 15, 1, "sendto", 10);
        enter(s, 20, 1, "connect", 9); // The server at socket 9 greets before the first request.
        leave(s, 21, 1, "connect", 0);
        enter(s, 22, 1, "recvfrom", 9);
        leave(s, 23, 1, "recvfrom", 10);
        enter(s, 24, 1, "sendto", 9);
        leave(s, 25, 1, "sendto", 10);
        const DeclaredRun run(shippedText("server-requests"), s);
        QCOMPARE(run.segments(), "");
    }

    void whoReceivesFirstOnAnOldSocketIsTheServer()
    {
        RunningThreads s;
        enter(s, 10, 1, "sendmsg", 8); // Thread 1 sends first: data that it reads are answers.
        leave(s, 11, 1, "sendmsg", 10);
        enter(s, 12, 2, "recvmsg", 9);
        leave(s, 13, 2, "recvmsg", 10);
        enter(s, 14, 2, "sendmsg", 9);
        leave(s, 15, 2, "sendmsg", 20);
        enter(s, 16, 1, "recvmsg", 8);
        leave(s, 17, 1, "recvmsg", 20);
        enter(s, 18, 1, "sendmsg", 8);
        leave(s, 19, 1, "sendmsg", 10);
        enter(s, 22, 2, "read", 9); // Now that socket is known.
        leave(s, 23, 2, "read", 10);
        enter(s, 24, 2, "write", 9);
        leave(s, 25, 2, "write", 20);
        const DeclaredRun run(shippedText("server-requests"), s);
        QCOMPARE(run.segments(), "t2 13-15 pid=1;tid=2;fd=9;received=10;sent=20\nt2 23-25 pid=1;tid=2;fd=9;received=10;sent=20\n");
    }

    void aThreadMayServeSeveralClientsAtATime()
    {
        RunningThreads s;
        for (const int socket : {5, 6}) {
            enter(s, socket, 1, "accept", 3);
            leave(s, socket, 1, "accept", socket);
        }
        enter(s, 10, 1, "recvfrom", 5);
        leave(s, 11, 1, "recvfrom", 1);
        enter(s, 12, 1, "recvfrom", 6);
        leave(s, 13, 1, "recvfrom", 2);
        enter(s, 20, 1, "sendto", 6);
        leave(s, 21, 1, "sendto", 3);
        enter(s, 30, 1, "sendto", 5);
        leave(s, 31, 1, "sendto", 4);
        const DeclaredRun run(shippedText("server-requests"), s);
        QCOMPARE(run.segments(), "t1 11-31 pid=1;tid=1;fd=5;received=1;sent=4\nt1 13-21 pid=1;tid=1;fd=6;received=2;sent=3\n");
        QCOMPARE(run.curves(), "server-requests-in-work/Servers/1 (t1): 11=1 13=2 21=1 31=0\n");
    }

    void whatIsNotAnsweredIsNoRequest()
    {
        RunningThreads s;
        enter(s, 10, 1, "recvfrom", 5);
        leave(s, 11, 1, "recvfrom", 1);
        enter(s, 12, 1, "close", 5);
        enter(s, 20, 1, "recvfrom", 6);
        leave(s, 21, 1, "recvfrom", 1);
        s.event(25, 1, "sched_process_exit", {{"comm", "t1"}, {"tid", 1}, {"prio", 20}});
        const DeclaredRun run(shippedText("server-requests"), s, {}, 30);
        QCOMPARE(run.segments(), "");
        QCOMPARE(run.view("server-requests-rows"),
                 "Servers/1 \"t1\"\nServers/1/Sockets\nServers/1/Sockets/5: works 11-12\nServers/1/Sockets/6: works 21-25\n");
    }

    // Number of requests in the programs' own logs, and lengths of the answers according to them.
    void recordedServersAnswerAllRequests_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("below");
        QTest::addColumn<QString>("server");
        QTest::addColumn<int>("answer");
        QTest::addColumn<int>("received");
        QTest::addColumn<QString>("expected");
        QTest::newRow("web") << "two-hosts"
                             << "web"
                             << "python3" << 6000 << 630 << "80, 7314684076 ns, at most 298876287";
        QTest::newRow("db") << "two-hosts"
                            << "db"
                            << "python3" << 1500 << 940 << "160, 1510230012 ns, at most 17305012";
        QTest::newRow("client") << "two-hosts"
                                << "client"
                                << "python3" << 0 << 0 << "0, 0 ns, at most 0";
        QTest::newRow("plain") << "lttng-kernel"
                               << "plain"
                               << "tcp-server" << 4000 << 3200 << "32, 318125046 ns, at most 29756385";
        QTest::newRow("ctx") << "lttng-kernel"
                             << "ctx"
                             << "tcp-server" << 4000 << 3200 << "32, 334977999 ns, at most 32312554";
    }
    void recordedServersAnswerAllRequests()
    {
        QFETCH(QString, collection);
        QFETCH(QString, below);
        QFETCH(QString, server);
        QFETCH(int, answer);
        QFETCH(int, received);
        QFETCH(QString, expected);
        HELIO_REQUIRE_TRACE(path, collection, below);
        const auto store = shippedStore("server-requests", path);
        QVERIFY(store);
        Sum sum;
        int came = 0;
        for (const PatternSegment& it : segmentsOf(*store)) {
            if (it.name != server.toStdString())
                continue;
            sum.add(it.length());
            came += std::stoi(it.field("received"));
            QCOMPARE(it.field("sent"), std::to_string(answer));
        }
        QCOMPARE(described(sum), expected);
        QCOMPARE(came, received);
    }
};

HELIO_TEST(ServerRequestsTest)

#include "tst_server_requests.moc"
