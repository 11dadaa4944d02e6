#pragma once

#include "core/event_model/call_stacks.h"
#include "core/trace/process/recorded_names.h"
#include "tests/support/made_timeline.h"

#include <string>
#include <vector>

namespace helio {

/// A trace without events that maps two modules and names their functions: "/usr/bin/app" and "/usr/lib/libc.so.6".
class NamedModulesTrace final : public MadeTrace {
public:
    enum Function : std::uint8_t { Main, Parse, Render, Loop, Cut, Read, Write };

    explicit NamedModulesTrace(Module::Kind kind = Module::Kind::File)
        : m_modules{{}, moduleOf("/usr/bin/app", kind), moduleOf("/usr/lib/libc.so.6", kind)}
    {
    }
    std::span<const Module> modules() const override { return m_modules; }

    static StackFrame frameOf(Function function) { return {ModuleId{function < Read ? 1U : 2U}, false, function}; }

private:
    static Module moduleOf(std::string path, Module::Kind kind)
    {
        Module module;
        module.kind = kind;
        module.path = std::move(path);
        auto names = std::make_shared<RecordedNames>();
        for (const char* name : {"main", "parse", "render", "loop", "cut", "read", "write"})
            names->add({name, {}, false});
        module.names = names;
        return module;
    }

    std::vector<Module> m_modules;
};

/// Calls of the process "app" (PID 100) in two threads, together with the states of threads 100 to 102 as in MadeTimeline. Times are in ns.
///
/// - Thread 100, depth 1: main 0..3000
/// - Thread 100, depth 2: parse 100..1000, render 1200..2800
/// - Thread 100, depth 3: read 1300..1500, read 2000..2001
/// - Thread 100, depth 4: write 1350..1400
/// - Thread 555, depth 1: cut 100..400 (truncated), loop 500..4000 (open)
struct MadeCalls {
    /// Makes the timeline; `modules` is the kind of both modules.
    static std::shared_ptr<const Timeline> make(Module::Kind modules = Module::Kind::File)
    {
        using enum NamedModulesTrace::Function;
        auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(3));
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        Maker maker{*builder, *builder->stateSet(calls::callStates()), *builder->segments().addKind(kind())};
        const TrackId process = maker.group("pid:100", "app", NoTrack, -1);
        const TrackId first = maker.group("calls:100", "app", process, 100);
        const StackId main = maker.stack(NoStack, Main);
        const StackId render = maker.stack(main, Render);
        const StackId read = maker.stack(render, Read);
        maker.depth(first, 1, {{0, 3000, main, calls::Called, 500}});
        maker.depth(first, 2, {{100, 1000, maker.stack(main, Parse), calls::Called, 900}, {1200, 2800, render, calls::Called, 1399}});
        maker.depth(first, 3, {{1300, 1500, read, calls::Called, 150}, {2000, 2001, read, calls::Called, 1}});
        maker.depth(first, 4, {{1350, 1400, maker.stack(read, Write), calls::Called, 50}});
        const TrackId second = maker.group("calls:555", "helper", process, 555);
        maker.depth(second, 1,
                    {{100, 400, maker.stack(NoStack, Cut), calls::Truncated, 300},
                     {500, 4000, maker.stack(NoStack, Loop), calls::StillOpen, 3500}});
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(4000)};
        addTrace(*timeline, {*builder->finish(summary), std::make_shared<NamedModulesTrace>(modules)});
        timeline->analyses = Analyses::builtin();
        return timeline;
    }

private:
    struct Call {
        std::int64_t begin, end;
        StackId stack;
        State state;
        std::int64_t self;
    };

    static SegmentKind kind()
    {
        SegmentKind kind{"call", "Calls", "Function", "Self", "ns"};
        kind.hasFrames = true;
        kind.areCalls = true;
        return kind;
    }

    struct Maker {
        StoreBuilder& builder;
        StateSetId states;
        SegmentKindId calls;

        StackId stack(StackId caller, NamedModulesTrace::Function function)
        {
            return builder.stacks().stack(caller, NamedModulesTrace::frameOf(function));
        }

        TrackId group(const char* key, const char* label, TrackId parent, std::int32_t tid)
        {
            Track row = track(key, label, parent);
            row.role = TrackRole::Group;
            row.tid = tid;
            row.sortKey = tid == 100 ? -1 : tid;
            return builder.addTrack(row);
        }

        void depth(TrackId thread, int depth, const std::vector<Call>& all)
        {
            const Track of = builder.track(thread);
            Track row = track(of.key + '/' + std::to_string(depth), std::to_string(depth), thread);
            row.kind = "depth";
            row.valueKind = ValueKind::Frame;
            row.tid = of.tid;
            row.sortKey = depth;
            const TrackId id = builder.addTrack(row);
            for (const Call& call : all) {
                builder.set(hostTime(call.begin), id, call.state, static_cast<std::uint32_t>(call.stack));
                builder.end(hostTime(call.end), id);
                builder.segments().add(
                    {hostTime(call.begin), hostTime(call.end), call.self, StringId{static_cast<std::uint32_t>(call.stack)}, id, calls});
            }
        }

        Track track(const std::string& key, const std::string& label, TrackId parent) const
        {
            Track row;
            row.view = "call-stack";
            row.key = key;
            row.label = label;
            row.parent = parent;
            row.states = states;
            row.pid = 100;
            return row;
        }
    };
};

} // namespace helio
