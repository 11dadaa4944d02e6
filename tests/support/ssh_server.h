#pragma once

#include "tests/app/cli/program.h"
#include "tests/support/files.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <pwd.h>
#include <unistd.h>

namespace helio {

/// A real sshd of this user on this machine, and a script `ssh` that reaches it, with keys of its own.
class SshServer {
public:
    /// Writes the script and its settings to `folder`. `hosts`: names by which ssh reaches this machine.
    SshServer(const QString& folder, const QStringList& hosts)
        : m_script(folder + "/ssh")
    {
        const QString server = QStandardPaths::findExecutable("sshd", {"/usr/sbin", "/usr/local/sbin"});
        const passwd* const user = ::getpwuid(::getuid());
        const QByteArray path = folder.toUtf8() + '/';
        const QByteArray port = QByteArray::number(20000 + ::getpid() % 20000);
        if (server.isEmpty() || !user)
            return;
        QDir().mkpath("/run/sshd"); // A server of root needs it.
        for (const char* const key : {"host", "user"})
            if (runTool("ssh-keygen", {"-q", "-t", "ed25519", "-N", "", "-f", QString::fromUtf8(path + key)}, plainEnvironment()).status
                != 0)
                qFatal("no key was made");
        test::writeFile(folder + "/sshd_config",
                        "Port " + port + "\nListenAddress 127.0.0.1\nHostKey " + path + "host\nAuthorizedKeysFile " + path
                            + "user.pub\nStrictModes no\nUsePAM no\nPidFile none\n");
        test::writeFile(folder + "/ssh_config",
                        "Host " + hosts.join(' ').toUtf8() + "\n HostName 127.0.0.1\n Port " + port + "\n User " + user->pw_name
                            + "\n IdentityFile " + path
                            + "user\n UserKnownHostsFile /dev/null\n StrictHostKeyChecking no\n LogLevel ERROR\n");
        test::writeFile(m_script,
                        "#!/bin/sh\nexec " + QStandardPaths::findExecutable("ssh").toUtf8() + " -F " + path + "ssh_config \"$@\"\n");
        QFile::setPermissions(m_script, QFile::ReadOwner | QFile::ExeOwner);
        m_server.start(server, {"-D", "-f", folder + "/sshd_config"});
        m_runs = QTest::qWaitFor([&] { return runTool(m_script, {hosts.first(), "true"}, plainEnvironment()).status == 0; }, 10'000);
    }
    ~SshServer()
    {
        m_server.kill();
        m_server.waitForFinished();
    }
    SshServer(const SshServer&) = delete;
    SshServer& operator=(const SshServer&) = delete;

    bool runs() const { return m_runs; } ///< False if sshd is not installed, or may not run here.

private:
    QString m_script;
    QProcess m_server;
    bool m_runs = false;
};

} // namespace helio
