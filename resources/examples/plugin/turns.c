/* A worked example: who had which CPU, turn by turn, of any trace with the kernel's sched_switch. It makes one of everything that a plug-in
 * can make:
 *   states    a row for each CPU, in the view "turns": runs (its value is the thread's name) or idle
 *   links     an arrow from the CPU that a thread left to the one where it ran next
 *   segments  each turn of a thread on a CPU, with the thread's name and its tid
 *   counters  how many turns there were so far, a series for each CPU, in the view "turn-counts"
 *   samples   each wake-up, with a stack of two frames: who woke, and on top of it who was woken
 * What the functions do and which numbers they take is said in heliograph_plugin.h. */
#include <heliograph/heliograph_plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CPUS = 1024, THREAD_SLOTS = 1 << 16, NAME_SIZE = 32 };
enum state { IDLE, RUNS };

struct cpu {
    uint32_t row, series; /* HELIOGRAPH_NONE: nothing has happened on it yet. */
    int64_t turns;
    int64_t since; /* When the turn of the thread that has it began. */
    int64_t tid; /* 0: it is idle; -1: nobody knows. */
    char name[NAME_SIZE];
};

/* Where a thread was last. Those whose tids share a slot forget each other, which costs an arrow. */
struct left {
    int64_t tid, time;
    uint32_t row;
};

struct turns {
    const heliograph_host_v1* host;
    heliograph_output* output;
    uint32_t switch_type, waking_type;
    uint32_t next_tid, next_comm, prev_tid, woken; /* Fields. */
    uint32_t states, moves, segments, wakings;
    struct cpu cpus[MOST_CPUS];
    struct left threads[THREAD_SLOTS];
};

/* HELIOGRAPH_NONE: the trace has no events of that name. */
static uint32_t type_named(const heliograph_host_v1* host, const heliograph_trace* trace, const char* name)
{
    const uint32_t count = host->type_count(trace);
    for (uint32_t type = 0; type < count; ++type)
        if (strcmp(host->type_name(trace, type), name) == 0)
            return type;
    return HELIOGRAPH_NONE;
}

/* Asked whenever a trace is opened. A program that is older than this file might lack functions: better not to begin. */
static int applies(const heliograph_host_v1* host, const heliograph_trace* trace)
{
    return host->size >= sizeof(heliograph_host_v1) && type_named(host, trace, "sched_switch") != HELIOGRAPH_NONE;
}

static void* begin(const heliograph_host_v1* host, heliograph_trace* trace, heliograph_output* output, int64_t time)
{
    /* A role of the themes for a colour suits light and dark; the meanings let other views count the states. */
    static const heliograph_state states[] = {{"idle", NULL, "cpu.idle", HELIOGRAPH_RESTS}, {"runs", NULL, NULL, HELIOGRAPH_ON_CPU}};
    static const heliograph_segment_kind segments = {"turns", "Turns on a CPU", "Thread", "TID", NULL};
    static const heliograph_sample_kind wakings = {"wake-ups", NULL, 0};
    struct turns* self = calloc(1, sizeof *self);
    (void)time;
    if (!self)
        return NULL;
    self->host = host;
    self->output = output;
    self->switch_type = type_named(host, trace, "sched_switch");
    self->waking_type = type_named(host, trace, "sched_waking");
    /* Fields are looked up once, here. Of a type that is not there the answer is HELIOGRAPH_NONE, which reads as one without a value. */
    self->next_tid = host->field(trace, self->switch_type, "next_tid");
    self->next_comm = host->field(trace, self->switch_type, "next_comm");
    self->prev_tid = host->field(trace, self->switch_type, "prev_tid");
    self->woken = host->field(trace, self->waking_type, "comm");
    self->states = host->state_set(output, "turns", states, 2);
    self->moves = host->link_kind(output, "moved", "Went to another CPU", NULL);
    self->segments = host->segment_kind(output, &segments);
    self->wakings = host->sample_kind(output, &wakings);
    for (int i = 0; i < MOST_CPUS; ++i)
        self->cpus[i] = (struct cpu){HELIOGRAPH_NONE, HELIOGRAPH_NONE, 0, 0, -1, ""};
    return self;
}

/* Null: the number is none. Rows and series are made when a CPU is met. All texts are copied at once. */
static struct cpu* cpu_of(struct turns* self, int32_t number)
{
    if (number < 0 || number >= MOST_CPUS)
        return NULL;
    struct cpu* cpu = &self->cpus[number];
    if (cpu->row != HELIOGRAPH_NONE)
        return cpu;
    char key[NAME_SIZE], label[NAME_SIZE];
    snprintf(key, sizeof key, "cpu:%d", (int)number);
    snprintf(label, sizeof label, "CPU %d", (int)number);
    const heliograph_row row = {"turns", key, label, HELIOGRAPH_NONE, self->states, HELIOGRAPH_TEXT, -1, -1, number, number};
    cpu->row = self->host->row(self->output, &row);
    const heliograph_series series = {"turn-counts", key, label, NULL, cpu->row, 0, 1};
    cpu->series = self->host->series(self->output, &series);
    return cpu;
}

/* The thread that has the CPU leaves it. */
static void end_turn(struct turns* self, struct cpu* cpu, int64_t now)
{
    if (cpu->tid <= 0)
        return;
    const heliograph_segment turn = {self->segments, cpu->row, cpu->since, now, cpu->name, cpu->tid};
    self->host->segment(self->output, &turn);
    self->threads[cpu->tid % THREAD_SLOTS] = (struct left){cpu->tid, now, cpu->row};
}

static void on_switch(struct turns* self, const heliograph_event* event)
{
    const heliograph_host_v1* host = self->host;
    const int64_t now = host->event_time(event);
    struct cpu* cpu = cpu_of(self, host->event_cpu(event));
    int64_t previous = -1, next = -1;
    if (!cpu || !host->event_integer(event, self->next_tid, &next) || next < 0)
        return;
    host->event_integer(event, self->prev_tid, &previous);
    if (cpu->tid != -1 && cpu->tid != previous)
        host->warn(self->output, "other-thread", "a thread left a CPU that another had: events seem to be missing");
    end_turn(self, cpu, now);
    cpu->tid = next;
    cpu->since = now;
    host->event_text(event, self->next_comm, cpu->name, sizeof cpu->name);
    host->set(self->output, now, cpu->row, next == 0 ? IDLE : RUNS, next == 0 ? 0 : host->text(self->output, cpu->name));
    if (next == 0)
        return;
    host->point(self->output, cpu->series, now, ++cpu->turns);
    const struct left* left = &self->threads[next % THREAD_SLOTS];
    if (left->tid == next && left->row != cpu->row)
        host->link(self->output, self->moves, left->row, left->time, cpu->row, now);
}

/* Whoever has the CPU wakes another thread. */
static void on_waking(struct turns* self, const heliograph_event* event)
{
    const heliograph_host_v1* host = self->host;
    const struct cpu* cpu = cpu_of(self, host->event_cpu(event));
    char woken[NAME_SIZE];
    if (!cpu)
        return;
    host->event_text(event, self->woken, woken, sizeof woken);
    const heliograph_frame waker = {HELIOGRAPH_NONE, 0, cpu->tid > 0 ? cpu->name : "an idle CPU", NULL, 0};
    const heliograph_frame wakee = {host->frame(self->output, &waker), 0, woken, NULL, 0};
    const heliograph_sample sample = {
        self->wakings, host->frame(self->output, &wakee), host->event_time(event), 1, -1, (int32_t)cpu->tid, host->event_cpu(event)};
    host->sample(self->output, &sample);
}

static void on_event(void* analysis, const heliograph_event* event)
{
    struct turns* self = analysis;
    const uint32_t type = self->host->event_type(event);
    if (type == self->switch_type)
        on_switch(self, event);
    else if (type == self->waking_type)
        on_waking(self, event);
}

/* What happened on a CPU while its events were lost is not known: its row has a gap, and no turn spans it. */
static void on_loss(void* analysis, int64_t begin, int64_t end, int32_t number)
{
    struct turns* self = analysis;
    (void)end;
    for (int i = 0; i < MOST_CPUS; ++i) {
        struct cpu* cpu = &self->cpus[i];
        if (cpu->row == HELIOGRAPH_NONE || (number >= 0 && number != i))
            continue;
        end_turn(self, cpu, begin);
        self->host->end(self->output, begin, cpu->row);
        cpu->tid = -1;
    }
}

/* Rows end by themselves; segments are only there once they are handed over. */
static void finish(void* analysis, int64_t time)
{
    struct turns* self = analysis;
    for (int i = 0; i < MOST_CPUS; ++i)
        end_turn(self, &self->cpus[i], time);
}

const heliograph_analysis_v1* heliograph_analysis(uint32_t abi, uint32_t index)
{
    static const heliograph_view views[] = {
        {"turns", "Turns", "Who had which CPU, turn by turn", HELIOGRAPH_ROWS, "CPU", "CPUs", "No sched_switch was recorded."},
        {"turn-counts", "Turn counts", "How many turns each CPU gave so far", HELIOGRAPH_CURVES, "CPU", "CPUs", NULL}};
    static const heliograph_analysis_v1 turns = {sizeof turns, "turns", "Turns on CPUs", 1,       views,  2,
                                                 applies,      begin,   on_event,        on_loss, finish, free};
    return abi == HELIOGRAPH_PLUGIN_ABI && index == 0 ? &turns : NULL;
}
