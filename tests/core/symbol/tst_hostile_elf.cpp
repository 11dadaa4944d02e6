// Input: files that are damaged by chance or on purpose. Property: no crash, hang or huge allocation.

#include "core/symbol/files/elf_file.h"
#include "core/symbol/symbolizer.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

QByteArray fixture(const char* name)
{
    QFile file(QString(SYMBOL_FIXTURES "/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Source of random numbers, which are the same in each run.
class Random {
public:
    std::uint64_t next()
    {
        m_state ^= m_state << 13, m_state ^= m_state >> 7, m_state ^= m_state << 17;
        return m_state;
    }
    qsizetype below(qsizetype bound) { return static_cast<qsizetype>(next() % static_cast<std::uint64_t>(bound)); }

private:
    std::uint64_t m_state = 88172645463325252ULL;
};

} // namespace

class HostileElfTest : public QObject {
    Q_OBJECT

private slots:
    void aFileThatEndsEarlyIsReadAsFarAsItGoes()
    {
        const QByteArray whole = fixture("shop");
        QVERIFY(whole.size() > 1000);
        for (qsizetype size = 0; size < whole.size(); size += 311)
            lookAtAll(whole.left(size));
    }

    void flippedBitsDoNoHarm_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        for (const char* name : {"shop", "shop-dwarf4", ".debug/shop.debug"})
            QTest::newRow(name) << fixture(name);
    }
    void flippedBitsDoNoHarm()
    {
        QFETCH(QByteArray, bytes);
        Random random;
        for (int round = 0; round < 400; ++round) {
            QByteArray damaged = bytes;
            for (int i = 0; i < 1 + round % 40; ++i) {
                const qsizetype at = random.below(bytes.size());
                damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.below(8)));
            }
            lookAtAll(damaged);
        }
    }

    void headersFullOfNonsenseDoNoHarm()
    {
        const QByteArray whole = fixture("shop");
        Random random;
        for (int round = 0; round < 400; ++round) {
            QByteArray damaged = whole;
            const qsizetype headers = round % 2 == 0 ? 16 : static_cast<qsizetype>(whole.size() - 37 * 64);
            for (int i = 0; i < 6; ++i)
                damaged[headers + random.below(round % 2 == 0 ? 800 : 37 * 64)] = static_cast<char>(random.next());
            lookAtAll(damaged);
        }
    }

    void whatIsNoElfFileIsSaid()
    {
        for (const QByteArray& bytes : {QByteArray(),
                                        QByteArray("\x7f"
                                                   "ELF"),
                                        QByteArray(100000, 'x'), QByteArray("#!/bin/sh\n").repeated(20)})
            QVERIFY(problemOf(bytes) == SymbolProblem::Unreadable);
    }

private:
    SymbolProblem problemOf(const QByteArray& bytes)
    {
        write(bytes);
        Module module;
        module.kind = Module::Kind::File;
        module.path = path().toStdString();
        return Symbolizer::make()->resolve(module, 0x1200).problem;
    }

    /// Runs every query at addresses all over the file.
    void lookAtAll(const QByteArray& bytes)
    {
        write(bytes);
        Module module;
        module.kind = Module::Kind::File;
        module.path = path().toStdString();
        const auto symbolizer = Symbolizer::make();
        symbolizer->symbolsOf(module);
        for (std::uint64_t address = 0x1000; address < 0x1600; address += 61)
            QVERIFY(symbolizer->resolve(module, address).frames.size() < 1000);
        if (const auto found = symbolizer->find(module, "plainFunction"))
            QVERIFY(symbolizer->codeOf(module, found->begin).instructions.size() <= (1U << 20));
    }

    QString path() const { return m_folder.filePath("damaged"); }
    void write(const QByteArray& bytes)
    {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(bytes);
    }

    QTemporaryDir m_folder;
};

HELIO_TEST(HostileElfTest)
#include "tst_hostile_elf.moc"
