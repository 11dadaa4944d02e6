#include "core/symbol/naming/background_names.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <atomic>
#include <semaphore>

using namespace helio;

namespace {

/// Answers when it is let to.
class SlowSymbolizer final : public Symbolizer {
public:
    const SymbolOptions& options() const override { return m_options; }
    Symbol resolve(const Module&, std::uint64_t address, bool) override
    {
        started.release();
        mayAnswer.acquire();
        ++answers;
        return {{{std::to_string(address), {}, {}, false}}, address, 1, SymbolProblem::None};
    }
    ModuleSymbols symbolsOf(const Module&) override { return {}; }
    std::optional<Symbol> find(const Module&, std::string_view) override { return {}; }
    FunctionCode codeOf(const Module&, std::uint64_t) override { return {}; }
    std::shared_ptr<const ElfFile> fileOf(const Module&) override { return {}; }
    std::shared_ptr<const ElfFile> debugFileOf(const Module&) override { return {}; }

    std::counting_semaphore<> started{0};
    std::counting_semaphore<> mayAnswer{0};
    std::atomic<int> answers = 0;

private:
    SymbolOptions m_options;
};

using Wanted = BackgroundNames::Wanted;

} // namespace

class BackgroundNamesTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_symbolizer = std::make_shared<SlowSymbolizer>();
        m_module = std::make_shared<Module>();
        m_lots = 0;
    }

    void namesComeWithANewGeneration()
    {
        BackgroundNames names(m_symbolizer, [this] { ++m_lots; });
        const std::vector<Wanted> wanted{{m_module, 1, false}, {m_module, 2, false}};
        QVERIFY(!names.find(wanted[0]));

        m_symbolizer->mayAnswer.release(2);
        names.request(wanted);

        QTRY_VERIFY(names.isIdle() && m_lots > 0);
        QCOMPARE(names.find(wanted[0])->frames[0].function, std::string("1"));
        QCOMPARE(names.find(wanted[1])->frames[0].function, std::string("2"));
        QVERIFY(!names.find({m_module, 1, true}));
        QVERIFY(names.generation() > 0);
    }

    void whatIsNoLongerVisibleIsNotLookedFor()
    {
        BackgroundNames names(m_symbolizer, {});
        names.request(std::vector<Wanted>{{m_module, 1, false}, {m_module, 2, false}, {m_module, 3, false}});
        m_symbolizer->started.acquire();

        names.request(std::vector<Wanted>{{m_module, 4, false}});
        m_symbolizer->mayAnswer.release(10);

        QTRY_VERIFY(names.isIdle());
        QVERIFY(names.find({m_module, 1, false}) && names.find({m_module, 4, false}));
        QVERIFY(!names.find({m_module, 2, false}) && !names.find({m_module, 3, false}));
        QCOMPARE(m_symbolizer->answers.load(), 2);
    }

    void cancelLeavesTheRest()
    {
        BackgroundNames names(m_symbolizer, {});
        names.request(std::vector<Wanted>{{m_module, 1, false}, {m_module, 2, false}});
        m_symbolizer->started.acquire();

        names.cancel();
        m_symbolizer->mayAnswer.release(10);

        QTRY_VERIFY(names.isIdle());
        QCOMPARE(m_symbolizer->answers.load(), 1);
    }

    void whatIsKnownIsNotAskedAgain()
    {
        BackgroundNames names(m_symbolizer, {});
        m_symbolizer->mayAnswer.release(10);
        for (int i = 0; i < 3; ++i) {
            names.request(std::vector<Wanted>{{m_module, 1, false}});
            QTRY_VERIFY(names.isIdle());
        }
        QCOMPARE(m_symbolizer->answers.load(), 1);
    }

private:
    std::shared_ptr<SlowSymbolizer> m_symbolizer;
    std::shared_ptr<Module> m_module;
    std::atomic<int> m_lots = 0;
};

HELIO_TEST(BackgroundNamesTest)
#include "tst_background_names.moc"
