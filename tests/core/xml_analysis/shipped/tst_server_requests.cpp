#include "tests/core/xml_analysis/shipped/shipped_run.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

bool hasOldNames = false; ///< True if system call events have the names of LTTng before 2.5.

/// Adds the entry of a system call. Thread n always runs on CPU n, so that the TID is also the number of the CPU.
void enter(KernelScript& script, std::int64_t time, int thread, const char* call, int socket)
{
    script.event(time, thread, (hasOldNames ? "sys_" : "syscall_entry_") + std::string(call), {{"fd", socket}});
}

/// Times at which a call begins and ends.
struct CallTimes {
    int begin, end;
};
/// File descriptor of a call, and the value that it returns.
struct CallValues {
    int fd, ret;
};
void call(KernelScript& script, CallTimes times, int thread, const char* name, CallValues values)
{
    enter(script, times.begin, thread, name, values.fd);
    script.event(times.end, thread, hasOldNames ? "exit_syscall" : std::string("syscall_exit_") + name, {{"ret", values.ret}});
}

/// A trace in which threads 1 and 2 of one process run.
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
        call(s, {5, 6}, 1, "accept4", {.fd = 3, .ret = 7});
        call(s, {8, 10}, 2, "read", {.fd = 7, .ret = 100});
        call(s, {11, 12}, 2, "read", {.fd = 9, .ret = 50}); // This call reads from a file, not from the socket.
        call(s, {13, 14}, 2, "recvfrom", {.fd = 7, .ret = 20});
        call(s, {15, 16}, 2, "write", {.fd = 7, .ret = -11}); // The socket is full (EAGAIN): the server must try again.
        call(s, {20, 25}, 2, "write", {.fd = 7, .ret = 4000});
        call(s, {26, 27}, 2, "write", {.fd = 7, .ret = 4000}); // This call writes the second part of the answer.
        call(s, {30, 31}, 2, "read", {.fd = 7, .ret = 0}); // The client closes its connection.
        enter(s, 32, 2, "close", 7);
        call(s, {33, 34}, 2, "read", {.fd = 7, .ret = 8}); // The descriptor 7 now belongs to a file.
        call(s, {35, 36}, 2, "write", {.fd = 7, .ret = 8});
        const DeclaredRun run(shippedText("server-requests"), s, {}, 40);
        QCOMPARE(run.complaints(), "");
        QCOMPARE(run.segments(), "t2 10-25 pid=1;tid=2;fd=7;received=120;sent=4000\n");
        QCOMPARE(run.view("server-requests-rows"),
                 "Servers/1 \"t2\"\nServers/1/Sockets\n"
                 "Servers/1/Sockets/7 \"socket 7\": works 10-15, answers 15-16, works 16-20, answers 20-25\n");
        QCOMPARE(run.curves(), "server-requests-in-work/Servers/1 (t2): 10=1 25=0\n");
    }

    void whatAServerAsksOthersIsNoRequest()
    {
        RunningThreads s;
        call(s, {5, 6}, 1, "connect", {.fd = 8, .ret = 0});
        call(s, {10, 11}, 1, "sendto", {.fd = 8, .ret = 10});
        call(s, {12, 13}, 1, "recvfrom", {.fd = 8, .ret = 10});
        call(s, {14, 15}, 1, "sendto", {.fd = 8, .ret = 10});
        call(s, {20, 21}, 1, "connect", {.fd = 9, .ret = 0}); // The server at socket 9 sends a greeting before the first request.
        call(s, {22, 23}, 1, "recvfrom", {.fd = 9, .ret = 10});
        call(s, {24, 25}, 1, "sendto", {.fd = 9, .ret = 10});
        const DeclaredRun run(shippedText("server-requests"), s);
        QCOMPARE(run.segments(), "");
    }

    void whoReceivesFirstOnAnOldSocketIsTheServer()
    {
        RunningThreads s;
        call(s, {10, 11}, 1, "sendmsg", {.fd = 8, .ret = 10}); // Thread 1 sends first, so data that it reads are answers.
        call(s, {12, 13}, 2, "recvmsg", {.fd = 9, .ret = 10});
        call(s, {14, 15}, 2, "sendmsg", {.fd = 9, .ret = 20});
        call(s, {16, 17}, 1, "recvmsg", {.fd = 8, .ret = 20});
        call(s, {18, 19}, 1, "sendmsg", {.fd = 8, .ret = 10});
        call(s, {22, 23}, 2, "read", {.fd = 9, .ret = 10}); // From this read on, thread 2 is known to be the server of socket 9.
        call(s, {24, 25}, 2, "write", {.fd = 9, .ret = 20});
        const DeclaredRun run(shippedText("server-requests"), s);
        QCOMPARE(run.segments(), "t2 13-15 pid=1;tid=2;fd=9;received=10;sent=20\nt2 23-25 pid=1;tid=2;fd=9;received=10;sent=20\n");
    }

    void aThreadMayServeSeveralClientsAtATime()
    {
        RunningThreads s;
        for (const int socket : {5, 6}) {
            call(s, {socket, socket}, 1, "accept", {.fd = 3, .ret = socket});
        }
        call(s, {10, 11}, 1, "recvfrom", {.fd = 5, .ret = 1});
        call(s, {12, 13}, 1, "recvfrom", {.fd = 6, .ret = 2});
        call(s, {20, 21}, 1, "sendto", {.fd = 6, .ret = 3});
        call(s, {30, 31}, 1, "sendto", {.fd = 5, .ret = 4});
        const DeclaredRun run(shippedText("server-requests"), s);
        QCOMPARE(run.segments(), "t1 11-31 pid=1;tid=1;fd=5;received=1;sent=4\nt1 13-21 pid=1;tid=1;fd=6;received=2;sent=3\n");
        QCOMPARE(run.curves(), "server-requests-in-work/Servers/1 (t1): 11=1 13=2 21=1 31=0\n");
    }

    void whatIsNotAnsweredIsNoRequest()
    {
        RunningThreads s;
        call(s, {10, 11}, 1, "recvfrom", {.fd = 5, .ret = 1});
        enter(s, 12, 1, "close", 5);
        call(s, {20, 21}, 1, "recvfrom", {.fd = 6, .ret = 1});
        s.event(25, 1, "sched_process_exit", {{"comm", "t1"}, {"tid", 1}, {"prio", 20}});
        const DeclaredRun run(shippedText("server-requests"), s, {}, 30);
        QCOMPARE(run.segments(), "");
        QCOMPARE(run.view("server-requests-rows"),
                 "Servers/1 \"t1\"\nServers/1/Sockets\nServers/1/Sockets/5 \"socket 5\": works 11-12\nServers/1/Sockets/6 \"socket 6\": "
                 "works 21-25\n");
    }

    // Expected numbers of requests and lengths of answers come from the programs' own logs.
    void recordedServersAnswerAllRequests_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("below");
        QTest::addColumn<QString>("server");
        QTest::addColumn<int>("answer");
        QTest::addColumn<int>("received");
        QTest::addColumn<QString>("expected");
        test::addRow("web", "two-hosts", "web", "python3", 6000, 630, "80, 7314684076 ns, at most 298876287");
        test::addRow("db", "two-hosts", "db", "python3", 1500, 940, "160, 1510230012 ns, at most 17305012");
        test::addRow("client", "two-hosts", "client", "python3", 0, 0, "0, 0 ns, at most 0");
        test::addRow("plain", "lttng-kernel", "plain", "tcp-server", 4000, 3200, "32, 318125046 ns, at most 29756385");
        test::addRow("ctx", "lttng-kernel", "ctx", "tcp-server", 4000, 3200, "32, 334977999 ns, at most 32312554");
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
